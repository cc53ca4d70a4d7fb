/** Reads little-endian numbers and pieces one after another, never past its end: there it throws what `wrong` makes. */
export class Cursor {
  readonly bytes: Buffer;
  readonly #wrong: () => Error;
  at: number;
  constructor(bytes: Buffer, wrong: () => Error, at = 0) {
    this.bytes = bytes;
    this.#wrong = wrong;
    this.at = at;
  }
  get left(): number {
    return this.bytes.length - this.at;
  }
  #step(length: number): number {
    if (length < 0 || this.at < 0 || length > this.left) throw this.#wrong();
    const at = this.at;
    this.at += length;
    return at;
  }
  u8(): number {
    return this.bytes.readUInt8(this.#step(1));
  }
  u16(): number {
    return this.bytes.readUInt16LE(this.#step(2));
  }
  u32(): number {
    return this.bytes.readUInt32LE(this.#step(4));
  }
  /** A length of 64 bits; one that no file has is wrong. */
  u64(): number {
    const value = this.bytes.readBigUInt64LE(this.#step(8));
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw this.#wrong();
    return Number(value);
  }
  take(length: number): Buffer {
    const at = this.#step(length);
    return this.bytes.subarray(at, at + length);
  }
  skip(length: number): void {
    this.#step(length);
  }
  /** A piece whose length stands before it in 32 bits. */
  prefixed(): Buffer {
    return this.take(this.u32());
  }
  /** A piece that begins with its own length. */
  selfPrefixed(): Buffer {
    const length = this.u32();
    this.at -= 4;
    return this.take(length);
  }
  inPrefixed(): Cursor {
    return new Cursor(this.prefixed(), this.#wrong);
  }
  /** The pieces to the end, each with its length before it. */
  allPrefixed(most: number): Buffer[] {
    const pieces: Buffer[] = [];
    while (this.left > 0) {
      if (pieces.length === most) throw this.#wrong();
      pieces.push(this.prefixed());
    }
    return pieces;
  }
  /** Nothing may follow. */
  end(): void {
    if (this.left > 0) throw this.#wrong();
  }
}
