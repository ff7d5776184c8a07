/** Bytes of source code and prose, the commonest first. What is not here is rare. */
const byFrequency = " e\ntari sonlcdupmfh.,-_\"g()vb'0;/=:y1w{}2kSATC*EI[]3x5R4>8`L967Dj+NPOFM<#Uz\t|qB$!&?HV\\WG@XKYJQZ%~^";

const weights = new Float64Array(256).fill(-9);
Array.from(byFrequency).forEach((character, rank) => {
  weights[character.charCodeAt(0)] = Math.log2(0.12 / (1 + 0.35 * rank) ** 1.2);
});

/** The logarithm of how often a byte occurs: only the order and rough distance mean anything. */
export function commonness(byte: number): number {
  return weights[byte]!;
}
