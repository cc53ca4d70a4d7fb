import { actOf } from '../access/acts.ts';
import { driftPath, GENERAL_DRIFT } from '../engines/rollout/task-kind.ts';
import type { Platform } from '../kit/call.ts';
import { releaseKinds } from '../release-kinds.ts';
import { auditAppCallTexts } from './app-calls.texts.ts';
import { auditCallTexts } from './calls.texts.ts';
import { auditHelpCallTexts } from './help-calls.texts.ts';
import { auditOrderCallTexts } from './order-calls.texts.ts';
import { auditPageCallTexts } from './page-calls.texts.ts';
import { auditReleaseCallTexts } from './release-calls.texts.ts';
import { auditSigningCallTexts } from './signing-calls.texts.ts';

export type CallText =
  | keyof typeof auditCallTexts
  | keyof typeof auditAppCallTexts
  | keyof typeof auditOrderCallTexts
  | keyof typeof auditPageCallTexts
  | keyof typeof auditReleaseCallTexts
  | keyof typeof auditHelpCallTexts
  | keyof typeof auditSigningCallTexts;
/** What was done with a call: in words of its own, or which page it reads. */
export interface LogAction {
  readonly text: CallText | 'log.call.read' | 'log.call.unknown';
  /** Code of the page that was read, or whose things were changed. */
  readonly page?: string | undefined;
}
/** What writes to the log without a call, and whose part it is: commands on the server itself, and what it does by itself. */
export const serverActs = {
  'npm run unlock': 'account',
  'npm run token': 'account',
  'npm run audit-log': 'account',
  'signing:sign': 'signing',
} as const;
export type ServerAct = keyof typeof serverActs;

interface Called {
  readonly path: string;
  readonly can: string | readonly string[];
}

const texts: ReadonlySet<string> = new Set([
  ...Object.keys(auditCallTexts),
  ...Object.keys(auditPageCallTexts),
  ...Object.keys(auditOrderCallTexts),
  ...Object.keys(auditAppCallTexts),
  ...Object.keys(auditReleaseCallTexts),
  ...Object.keys(auditHelpCallTexts),
  ...Object.keys(auditSigningCallTexts),
]);
const isText = (key: string): key is CallText => texts.has(key);

/** What each group of a kind of release is about. */
const releaseGroups: ReadonlyMap<string, string> = new Map([
  ['/appDiff', 'difference'] as const,
  [GENERAL_DRIFT, 'drift'] as const,
  ...releaseKinds.flatMap(({ paths }) => [
    [paths.tasks, 'release'] as const,
    [paths.results, 'releaseResult'] as const,
    [driftPath({ paths }), 'drift'] as const,
    ...(paths.preTasks ? [[paths.preTasks, 'preRelease'] as const] : []),
    ...(paths.packages ? [[paths.packages, 'package'] as const, [`${paths.packages}/diff`, 'difference'] as const] : []),
  ]),
]);
/** Menu entry of what is sent, where a page has several kinds. */
const sentBy: ReadonlyMap<string, string> = new Map(
  releaseKinds.flatMap(({ paths, sends }) =>
    sends === undefined ? [] : [paths.tasks, paths.results, driftPath({ paths })].map((path) => [path, sends] as const),
  ),
);
/** A change of releases or packages, of whichever kind. */
function releaseText(path: string): string | undefined {
  const at = path.lastIndexOf('/');
  const group = releaseGroups.get(path.slice(0, at));
  return group && `log.${group}.${path.slice(at + 1)}`;
}

/** `purpose`: what a code was asked for, where one call sends several. A call of another version isn't known. */
export function actionOf(call: Called, platform: Platform | string | null, purpose?: unknown): LogAction {
  for (const key of [`log.call.${call.path}.${String(purpose)}`, `log.call.${call.path}`]) if (isText(key)) return { text: key };
  const page = sentBy.get(call.path.slice(0, call.path.lastIndexOf('/'))) ?? actOf(call.can, platform)?.page;
  const release = releaseText(call.path);
  if (release !== undefined && isText(release)) return { text: release, page };
  return page === undefined ? { text: 'log.call.unknown' } : { text: 'log.call.read', page };
}
