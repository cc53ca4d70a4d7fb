import { fault } from '@mooring/contract/kit/fault';
import { BATCH, type Place } from './many.ts';

/** One document of an act: those of its rows that are named, or all that it may happen to. */
export interface Part {
  readonly id: number;
  readonly ids?: readonly number[] | undefined;
}
/** An act is about one document, or about parts, one after the other. They are found once, when it begins: what it does changes what finds them. */
type Parts = Part | { readonly parts: readonly Part[] };

/** Where a run is in its documents, and where it goes on. */
export function partAt<P extends Part>(params: object, place: Place) {
  const of = params as Parts;
  const parts = 'parts' in of ? of.parts : [of];
  const part = parts[place.document];
  if (part?.id === undefined) throw fault('BAD_INPUT');
  /** The next document. */
  const after: Place | undefined = place.document + 1 < parts.length ? { document: place.document + 1, after: 0, kept: null } : undefined;
  return {
    part: part as P,
    /** A single document: what it is refused for is said at once. */
    isAlone: !('parts' in of),
    after,
    /** After a batch of this one. */
    following: (rows: readonly number[], kept: number | null): Place | undefined =>
      rows.length < BATCH ? after : { document: place.document, after: rows.at(-1) ?? 0, kept },
  };
}
