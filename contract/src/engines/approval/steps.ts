import { type ApprovalEvent, type ApprovalState, approvalMachine } from './state-machines.ts';

/** Approver roles of specification section 4, and the organisation whose terminals they are. */
export const approvers = { line: '1', market: '2', region: '3', customer: 'customer' } as const;
export type ApproverRole = (typeof approvers)[keyof typeof approvers];
/** Whoever holds a permission to decide, at or above the owner; those before decide by what their roles approve as. */
export const reviewer = 'reviewer';
export type Decider = ApproverRole | typeof reviewer;

export type Stage = 1 | 2 | 3;
export const stages: readonly Stage[] = [1, 2, 3];
/** What is done at each place of a stage; the units of the specification's step ids. */
export const places = ['application', 'confirm', 'line', 'market', 'result', 'verified', 'returned'] as const;
export type Place = (typeof places)[number];

export interface Position {
  /** None of what was returned and ended. */
  readonly stage: Stage | undefined;
  readonly place: Place | 'ended';
}
const stageOf = (code: string): Stage | undefined => stages.find((one) => String(one) === code[0]);

/** Where a step stands, by its code. */
export function positionOf(code: string): Position {
  const stage = stageOf(code);
  const place = places[Number(code[1])];
  return code === approvalMachine.states.ended.code || !stage || !place ? { stage: undefined, place: 'ended' } : { stage, place };
}

/** The step of a stage at a place; undefined where the stage has none. */
export const stepAt = (stage: Stage, place: Place): string | undefined => {
  const code = `${stage}${places.indexOf(place)}`;
  return code in approvalMachine.byCode ? code : undefined;
};
/** The steps of a stage in their order, without the way back. */
export const stepsOf = (stage: Stage): string[] =>
  places.filter((place) => place !== 'returned').flatMap((place) => stepAt(stage, place) ?? []);
/** Where nothing follows once it is approved: the result says so, the step stays. */
export const LAST = '34';

type Next = (at: Position) => readonly [Stage, Place] | 'ended' | undefined;
/** The course that an approval takes: who is asked where, and where each event leads. */
export interface Course<D extends Decider = Decider> {
  /** Where something stands before it is handed in for the first time. */
  readonly first: ApprovalState;
  readonly roleAt: Readonly<Partial<Record<Position['place'], D>>>;
  /** What passing does at a place. */
  readonly passing: Readonly<Partial<Record<Position['place'], ApprovalEvent>>>;
  /** The last passing of a stage: its result is approved. */
  readonly settles: ApprovalEvent;
  readonly next: Readonly<Partial<Record<ApprovalEvent, Next>>>;
}

const inStage =
  (place: Place): Next =>
  ({ stage }) =>
    stage && [stage, place];
/** Releases, in three stages: role 3 confirms, role 1 approves next, role 2 last; the customer says whether the result is right. */
export const releaseCourse: Course<ApproverRole> = {
  first: 'application1',
  roleAt: { confirm: approvers.region, line: approvers.line, market: approvers.market, result: approvers.customer },
  passing: { confirm: 'confirm', line: 'approveLine', market: 'approveMarket', result: 'resultConfirm' },
  settles: 'resultConfirm',
  next: {
    apply: inStage('confirm'),
    confirm: inStage('line'),
    approveLine: inStage('market'),
    approveMarket: inStage('result'),
    resultConfirm: ({ stage }) => stage && [stage, stage === 3 ? 'result' : 'verified'],
    applyTrial: () => [2, 'application'],
    applyFull: () => [3, 'application'],
    cancelTrial: () => [2, 'returned'],
    cancelFull: () => [3, 'returned'],
    return: inStage('returned'),
    edit: inStage('application'),
    end: () => 'ended',
  },
};

/** What one decision approves for good, by whoever may review it. What was taken back is a draft again; what has ended comes back by another review. */
export const reviewCourse: Course = {
  first: 'application3',
  roleAt: { market: reviewer },
  passing: { market: 'approveMarket' },
  settles: 'approveMarket',
  next: {
    apply: () => [3, 'market'],
    approveMarket: () => [3, 'result'],
    cancelFull: ({ place }) => (place === 'market' ? [3, 'application'] : undefined),
    return: ({ place }) => (place === 'market' ? [3, 'returned'] : undefined),
    edit: ({ place }) => (place === 'returned' || place === 'ended' ? [3, 'application'] : undefined),
    end: () => 'ended',
  },
};

const courses = [releaseCourse, reviewCourse];
/** Steps at which somebody decides. */
export const decidedSteps: readonly string[] = Object.keys(approvalMachine.byCode).filter((code) =>
  courses.some(({ roleAt }) => roleAt[positionOf(code).place] !== undefined),
);

/** Where an event leads from a step; undefined where it can't happen there. */
export function targetOf({ next }: Course, code: string, event: ApprovalEvent): ApprovalState | undefined {
  const from = approvalMachine.byCode[code];
  const { from: allowed, to } = approvalMachine.events[event];
  if (!from || !allowed.includes(from)) return undefined;
  const place = next[event]?.(positionOf(code));
  const target = place === 'ended' ? place : place && approvalMachine.byCode[stepAt(...place) ?? ''];
  return target && to.includes(target) ? target : undefined;
}

/** Kinds of releases that may be approved: `taskType` of the specification's routes, and all that it offers there. */
export const releaseTypes = { firmware: '1', module: '2', patch: '3' } as const;
export type ReleaseType = (typeof releaseTypes)[keyof typeof releaseTypes];
/** Everything that is approved: versions of apps have screens of their own. */
export const taskTypes = { ...releaseTypes, app: '4' } as const;
export type TaskType = (typeof taskTypes)[keyof typeof taskTypes];
export const auditResults = { pending: '0', approved: '1', rejected: '2' } as const;
