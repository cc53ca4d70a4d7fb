import { type ApprovalEvent, type ApprovalState, approvalMachine } from './state-machines.ts';

/** Approver roles of specification section 4, and the organisation whose terminals they are. */
export const approvers = { line: '1', market: '2', region: '3', customer: 'customer' } as const;
export type ApproverRole = (typeof approvers)[keyof typeof approvers];

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

/** Who decides at a place: role 3 confirms, role 1 approves next, role 2 last; the customer says whether the result is right. */
export const roleAt: Readonly<Partial<Record<Position['place'], ApproverRole>>> = {
  confirm: approvers.region,
  line: approvers.line,
  market: approvers.market,
  result: approvers.customer,
};
/** What passing does at a place. */
export const passing: Readonly<Partial<Record<Position['place'], ApprovalEvent>>> = {
  confirm: 'confirm',
  line: 'approveLine',
  market: 'approveMarket',
  result: 'resultConfirm',
};

const next: Readonly<Record<ApprovalEvent, (at: Stage) => [Stage, Place] | undefined>> = {
  apply: (stage) => [stage, 'confirm'],
  confirm: (stage) => [stage, 'line'],
  approveLine: (stage) => [stage, 'market'],
  approveMarket: (stage) => [stage, 'result'],
  resultConfirm: (stage) => [stage, stage === 3 ? 'result' : 'verified'],
  applyTrial: () => [2, 'application'],
  applyFull: () => [3, 'application'],
  cancelTrial: () => [2, 'returned'],
  cancelFull: () => [3, 'returned'],
  return: (stage) => [stage, 'returned'],
  edit: (stage) => [stage, 'application'],
  end: () => undefined,
};

/** Where an event leads from a step; undefined where it can't happen there. */
export function targetOf(code: string, event: ApprovalEvent): ApprovalState | undefined {
  const { stage } = positionOf(code);
  const from = approvalMachine.byCode[code];
  const { from: allowed, to } = approvalMachine.events[event];
  if (!stage || !from || !allowed.includes(from)) return undefined;
  const place = next[event](stage);
  const target = place ? approvalMachine.byCode[stepAt(...place) ?? ''] : 'ended';
  return target && to.includes(target) ? target : undefined;
}

/** Kinds of releases that may be approved: `taskType` of the specification's routes. */
export const taskTypes = { firmware: '1', module: '2', patch: '3' } as const;
export type TaskType = (typeof taskTypes)[keyof typeof taskTypes];
export const auditResults = { pending: '0', approved: '1', rejected: '2' } as const;
