import { z } from 'zod';
import { call, calls } from '../../kit/call.ts';
import { criteriaOf } from '../../kit/page.ts';
import { Id } from '../../kit/schema.ts';
import { deviceFilters, FailedDays } from '../calls.ts';
import { DeviceStatus } from '../schemas.ts';

const { deleted: _deleted, cell: _cell, placed: _placed, area: _area, failed: _failed, ...mapFilters } = deviceFilters;
/** What the list of terminals filters by, as far as a map can. */
export const mapCriteria = criteriaOf(mapFilters);

/** So many terminals stand on the map one by one; more are drawn together. */
export const MOST_SINGLE = 200;
export const ZOOMS = { least: 0, most: 19 } as const;

const lat = z.number().min(-90).max(90);
const lon = z.number().min(-180).max(180);
/** What is in view; where `west` is greater than `east` it reaches over the date line. */
export const Box = z.strictObject({ south: lat, west: lon, north: lat, east: lon }).refine(({ south, north }) => south <= north, {
  message: 'invalid.area',
});
export type Box = z.output<typeof Box>;

const place = { lat: z.number(), lon: z.number() };
/** Terminals that stand near each other: how many, and how many of them in which state. */
export const Cluster = z.object({ cell: z.string(), ...place, count: z.int(), byStatus: z.partialRecord(DeviceStatus, z.int()) });
export type Cluster = z.infer<typeof Cluster>;
export const PlacedTerminal = z.object({
  id: Id,
  sn: z.string(),
  name: z.string(),
  status: DeviceStatus,
  ...place,
  /** Its own word, or `shop` and `merchant` where those stand. */
  source: z.string(),
});
export type PlacedTerminal = z.infer<typeof PlacedTerminal>;

/** So many shops are told apart at once; of more none are drawn. */
export const MOST_SHOPS = 200;
/** Terminals of a shop are counted so far. */
export const MOST_TERMINALS_COUNTED = 999;
/** A shop, or a merchant where it stands itself. */
export const PlacedShop = z.object({
  kind: z.enum(['shop', 'merchant']),
  id: Id,
  number: z.string(),
  name: z.string(),
  merchantId: Id,
  merchantName: z.string(),
  ...place,
  terminals: z.int(),
  /** It has more than were counted. */
  capped: z.boolean(),
});
export type PlacedShop = z.infer<typeof PlacedShop>;

/** Failures are kept for so many days. */
export const FAILURE_DAYS = 30;
export const FailureSource = z.enum(['release', 'command', 'alarm']);
/** What failed on terminals while they stood there, the most frequent reason first. An alarm's reason is its kind. */
export const FailureSquare = z.object({
  cell: z.string(),
  count: z.int(),
  reasons: z.array(z.object({ source: FailureSource, reason: z.string(), n: z.int() })),
});
export type FailureSquare = z.infer<typeof FailureSquare>;
/** Of these filters sums of failures are kept. */
export const failureFilters = { below: mapFilters.below, productId: mapFilters.productId };

export const mapCalls = calls('device', '/device/map', {
  tiles: call({
    can: 'device:map:page||device:device:page||device:all:page',
    reads: true,
    output: z.object({ url: z.string(), attribution: z.string(), maxZoom: z.int() }).nullable(),
    about: 'The server of map tiles that the installation names, if any.',
  }),
  view: call({
    can: 'device:map:page',
    reads: true,
    input: z.strictObject({ criteria: mapCriteria.default({}), box: Box, zoom: z.number().min(ZOOMS.least).max(24) }),
    output: z.object({
      clusters: z.array(Cluster),
      terminals: z.array(PlacedTerminal),
      /** As many as are drawn within it. */
      shown: z.int(),
      /** More meet the filters here than can be told apart at once. */
      capped: z.boolean(),
    }),
    about: 'Terminals on a part of the map: together by squares, or one by one where there are few.',
  }),
  shops: call({
    can: ['device:map:page', 'merchant:merchant:page'],
    reads: true,
    input: z.strictObject({ box: Box }),
    output: z.object({
      shops: z.array(PlacedShop),
      /** More than can be told apart: one comes nearer first. */
      tooMany: z.boolean(),
    }),
    about: `Shops on a part of the map, and merchants where they have a position and no shop: at most ${MOST_SHOPS}, or none where there are more.`,
  }),
  failures: call({
    can: 'device:map:page',
    reads: true,
    input: z.strictObject({
      criteria: criteriaOf(failureFilters).default({}),
      days: FailedDays.default('7'),
      box: Box,
      zoom: z.number().min(ZOOMS.least).max(24),
    }),
    output: z.object({ squares: z.array(FailureSquare), total: z.int() }),
    about:
      'Failed results of releases, failed commands and open alarms by squares of the map, of the last days (UTC) and of where the terminal stood then. Alarms are counted for those who may see them.',
  }),
  figures: call({
    can: 'device:map:page',
    reads: true,
    input: z.strictObject({ criteria: mapCriteria.default({}) }),
    output: z.object({
      placed: z.object({ total: z.int(), capped: z.boolean() }),
      unplaced: z.object({ total: z.int(), capped: z.boolean() }),
      /** What all of them take up on the map: where one may begin. */
      extent: Box.nullable(),
    }),
    about: 'How many terminals stand somewhere, how many nowhere, and what they take up on the map.',
  }),
});
