import { z } from 'zod';
import { documented, Moment } from '../../kit/schema.ts';

/** Why a place doesn't have what was published, as far as the server can tell from outside. */
export const placeProblems = ['missing', 'size', 'bytes', 'ranges', 'answer', 'silent', 'certificate', 'inside'] as const;
export type PlaceProblem = (typeof placeProblems)[number];

/** Where something that is published can be downloaded: the server's own store, or a download domain. */
export const PublishPlace = z
  .object({
    /** Of a download domain; the own store has none, and of an organisation above it isn't told. */
    name: z.string(),
    url: z.string(),
    /** Asked now or in some minutes. */
    checking: z.boolean(),
    state: z.enum(['waiting', 'there', 'failed']),
    attempts: z.int(),
    triedAt: Moment.nullable(),
    problem: z.enum(placeProblems).nullable(),
    /** What came instead: `HTTP 503`, `ECONNREFUSED`. */
    detail: z.string(),
  })
  .register(documented, { id: 'PublishPlace' });
export type PublishPlace = z.infer<typeof PublishPlace>;
