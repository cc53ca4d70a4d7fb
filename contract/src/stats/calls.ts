import { z } from 'zod';
import { taskPermission } from '../engines/rollout/task-kind.ts';
import { call, calls } from '../kit/call.ts';
import { releaseKinds } from '../release-kinds.ts';
import {
  Failures,
  Fleet,
  OnlineCurve,
  Overview,
  ofWhere,
  RunningReleases,
  Span,
  Trend,
  TrendAsked,
  Versions,
  WallView,
} from './schemas.ts';

const seeing = 'home:welcome:page||home:dashboard:page';
/** Releases of the kinds that the person may see. */
const seeingReleases = releaseKinds.map((kind) => taskPermission(kind, 'page')).join('||') as `${string}:${string}`;
const where = z.strictObject(ofWhere).prefault({});
const inTime = (days: Span) => z.strictObject({ ...ofWhere, days: Span.default(days) }).prefault({});

/** The first screen of both platforms, card by card: counters that the writers keep, so that no row of a device is read. */
export const homeCalls = calls('stats', '/home', {
  overview: call({ can: seeing, reads: true, output: Overview }),
  fleet: call({ can: seeing, reads: true, input: where, output: Fleet }),
  online: call({ can: seeing, reads: true, input: inTime('1'), output: OnlineCurve }),
  releases: call({
    can: seeingReleases,
    reads: true,
    input: z.strictObject({ ...ofWhere, days: Span.optional() }).prefault({}),
    output: RunningReleases,
    about:
      'Releases under way with their curves, and those of the newest that failed on terminals; with `days` those that ended within them, or haven’t ended.',
  }),
  failures: call({ can: seeing, reads: true, input: inTime('7'), output: Failures }),
  versions: call({
    can: seeing,
    reads: true,
    input: where,
    output: Versions,
    about: 'Versions that terminals run, by product, and how many are below the newest published full package of their product.',
  }),
});

export const statisticCalls = calls('stats', '/statistic', {
  trend: call({
    can: seeing,
    reads: true,
    input: TrendAsked,
    output: Trend,
    about:
      'By day (UTC) or month. For online: terminals online on average; for results: succeeded, and failed beside them; for bytes: what terminals fetched.',
  }),
});

/** What the screen on a wall reads. A token with this permission alone can do nothing else. */
export const wallCalls = calls('stats', '/sys/largeScreen', {
  view: call({ can: 'home:wall:view', reads: true, output: WallView }),
});
