/** What was taken in this round, of things with numbers below a limit. To begin a new round costs nothing. */
export class Marks {
  /** The round in which each was taken last. Read and written directly where a call a byte is too much. */
  readonly rounds: Uint32Array;
  round = 0;

  constructor(limit: number) {
    this.rounds = new Uint32Array(limit);
  }

  begin(): void {
    if (this.round === 0xffffffff) {
      this.rounds.fill(0);
      this.round = 0;
    }
    this.round += 1;
  }

  /** False where `id` was taken before in this round. */
  take(id: number): boolean {
    if (this.rounds[id] === this.round) return false;
    this.rounds[id] = this.round;
    return true;
  }
}
