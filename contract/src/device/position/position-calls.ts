import { z } from 'zod';
import { call, calls } from '../../kit/call.ts';
import { exporting } from '../../kit/export.ts';
import { criteriaOf, filter, pageOf, pageQuery } from '../../kit/page.ts';
import { Id, Moment, ref } from '../../kit/schema.ts';
import { seeing } from '../calls.ts';

/** A terminal's word about where it is, or where its shop or merchant stands. */
export const positionSources = ['gps', 'wifi', 'cell', 'network', 'manual', 'unknown', 'shop', 'merchant'] as const;
export const PositionSource = z.enum(positionSources);

const place = { lat: z.number(), lon: z.number(), accuracy: z.number().nullable() };
export const TrackPoint = z.object({
  /** Its moment: a terminal has one point of each. */
  id: z.int(),
  at: Moment,
  ...place,
  source: PositionSource,
});
export type TrackPoint = z.infer<typeof TrackPoint>;

/** Why a terminal stands nowhere: it was never heard of, it doesn't say, and no shop says it for it. */
export const nowhereReasons = ['neverSeen', 'notTold', 'shopWithout'] as const;

const trackFilters = { deviceId: Id, at: filter.moment() };
/** So many points of a way are drawn; of more, some in even steps. */
export const MOST_DRAWN = 500;

export const positionCalls = calls('device', '/device/position', {
  detail: call({
    can: seeing,
    reads: true,
    input: z.strictObject({ id: ref('device') }),
    output: z.object({
      now: z.object({ ...place, source: PositionSource, at: Moment.nullable(), placeName: z.string().nullable() }).nullable(),
      nowhere: z.enum(nowhereReasons).nullable(),
    }),
    about: 'Where a terminal is, by its own word or by its shop’s place, or why nobody knows.',
  }),
  way: call({
    can: seeing,
    reads: true,
    input: z.strictObject({ id: ref('device'), from: z.iso.datetime(), to: z.iso.datetime() }),
    output: z.object({ points: z.array(TrackPoint), total: z.int() }),
    about: 'The way that a terminal took, oldest first, to be drawn.',
  }),
  track: call({ can: seeing, reads: true, input: pageQuery(trackFilters, ['-at']), output: pageOf(TrackPoint) }),
  exportTrack: exporting('device:device:export||device:all:export', criteriaOf(trackFilters)),
});
