/** How much of a list is gathered before it is sent. */
export const pieceBytes = 128 * 1024;

/** Where the text begins: before it stands how many use the piece. */
const headerBytes = 8;

/** Free pieces of list memory that a thread keeps for its next results. */
const maxKeptPieces = 32;

/** Free pieces of list memory that a thread keeps between two searches. */
const maxIdlePieces = 4;

/** Memory that a search thread and the main one share: free again when all who used it have let it go. */
export interface ListPiece {
  readonly users: Int32Array;
  readonly text: Uint8Array;
}

/** The pieces of one thread, used again and again: sent away each time, they would be garbage on the other side. */
export class ListPieces {
  #pieces: ListPiece[] = [];

  /** A piece with one user: who took it. */
  take(): ListPiece {
    let piece = this.#pieces.find(isFree);
    if (!piece) {
      const memory = new SharedArrayBuffer(headerBytes + pieceBytes);
      piece = { users: new Int32Array(memory, 0, 1), text: new Uint8Array(memory, headerBytes) };
      if (this.#pieces.length < maxKeptPieces) this.#pieces.push(piece);
    }
    Atomics.store(piece.users, 0, 1);
    return piece;
  }

  /** Between two searches. */
  rest(): void {
    this.#pieces = this.#pieces.filter(isFree).slice(0, maxIdlePieces);
  }
}

function isFree({ users }: ListPiece): boolean {
  return Atomics.load(users, 0) === 0;
}

/** @param text a part of a piece's text that was sent, and is used no more */
export function letGo(text: Uint8Array): void {
  Atomics.sub(new Int32Array(text.buffer, 0, 1), 0, 1);
}
