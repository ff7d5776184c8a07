/**
 * Variables that make the runner, the shell or what they start load or run something else. The runner starts outside
 * the sandbox with this environment.
 */
const unsafeNames = new Set(["BASH_ENV", "ENV", "GCONV_PATH", "GLIBC_TUNABLES", "LOCPATH", "NLSPATH", "NODE_OPTIONS", "PS4", "PROMPT_COMMAND", "SHELLOPTS", "BASHOPTS"]);
const unsafePrefixes = ["LD_", "BASH_FUNC_", "GIT_", "MALLOC_"] as const;

/**
 * The child's environment: dangerous names removed, and a locale in which the kernel's refusals are worded as
 * `classify` reads them, while text stays UTF-8.
 */
export function runnerEnvironment(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const kept = Object.entries(env).filter(([name]) => !unsafeNames.has(name) && !unsafePrefixes.some((prefix) => name.startsWith(prefix)) && name !== "LC_ALL");
  return { ...Object.fromEntries(kept), LC_MESSAGES: "C", LC_CTYPE: characterType(env) };
}

function characterType(env: Readonly<Record<string, string>>): string {
  const given = [env["LC_ALL"], env["LC_CTYPE"], env["LANG"]].find((value) => value !== undefined && value !== "");
  return given !== undefined && /utf-?8/i.test(given) ? given : "C.UTF-8";
}
