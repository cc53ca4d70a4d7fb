import type { ApprovalEvent } from '@mooring/contract/engines/approval/state-machines';
import {
  approvers,
  auditResults,
  type Course,
  type Decider,
  LAST,
  positionOf,
  reviewer,
  targetOf,
} from '@mooring/contract/engines/approval/steps';

/** What a person does: passing stands for whatever passes the step. */
export type Act = 'pass' | 'refuse' | 'return' | 'applyTrial' | 'applyFull' | 'cancelTrial' | 'cancelFull' | 'end';

export interface Person {
  readonly userId: number;
  /** Where they act: at this path and below. */
  readonly path: string;
  readonly roles: ReadonlySet<Decider>;
  /** They may release it: it is their organisation's, and they hold the permission. */
  readonly applies: boolean;
}
export interface Standing {
  readonly step: string;
  readonly result: string;
  readonly course: Course;
  /** Who wrote it, and who handed in what stands there now. */
  readonly authors: ReadonlySet<number>;
  readonly path: string;
  /** What it is about is over: its result may still be confirmed, or the approval ended. */
  readonly hasEnded: boolean;
  /** Whose terminals have it isn't known yet: nobody says whether its result is right before. */
  readonly isUnplaced: boolean;
  /** Organisations whose terminals have it and that haven't confirmed yet. */
  readonly owners: readonly string[];
}

/** Above it or below it: a release of a unit above is a matter of those below too. */
const onLine = (a: string, b: string) => a.startsWith(b) || b.startsWith(a);

/** Whether a person's role decides here. Where no organisation has terminals of it, the region says whether the result is right. */
export function holdsStep({ step, course, path, owners, isUnplaced }: Standing, person: Person): boolean {
  const role = course.roleAt[positionOf(step).place];
  if (role === undefined || !onLine(person.path, path)) return false;
  if (role === reviewer) return person.roles.has(role) && path.startsWith(person.path);
  if (role !== approvers.customer) return person.roles.has(role);
  if (isUnplaced) return false;
  if (owners.length === 0) return person.roles.has(approvers.region) || person.roles.has(approvers.customer);
  return person.roles.has(approvers.customer) && owners.some((owner) => owner.startsWith(person.path));
}

export const isOver = ({ step, result, course }: Pick<Standing, 'step' | 'result' | 'course'>): boolean =>
  targetOf(course, step, 'end') === undefined || (step === LAST && result === auditResults.approved);

/** The event of an act at a step. */
export const eventOf = ({ passing }: Course, step: string, act: Act): ApprovalEvent | undefined =>
  act === 'pass' ? passing[positionOf(step).place] : act === 'refuse' ? 'return' : act;

/** Everything that a person may do with an approval now. */
export function actsOf(standing: Standing, person: Person): Act[] {
  if (isOver(standing)) return [];
  const decides = holdsStep(standing, person) && !standing.authors.has(person.userId);
  const { place, stage } = positionOf(standing.step);
  const left: Act[] = [...(decides && place === 'result' ? (['pass'] as const) : []), ...(person.applies ? (['end'] as const) : [])];
  const wanted: Act[] = [
    ...(decides ? (['pass', 'refuse', 'return'] as const) : []),
    // Later stages are cancelled by their own names.
    ...(person.applies && !decides && stage === 1 ? (['return'] as const) : []),
    ...(person.applies ? (['applyTrial', 'applyFull', 'cancelTrial', 'cancelFull'] as const) : []),
    ...(person.applies && (place === 'returned' || place === 'application') ? (['end'] as const) : []),
  ];
  return (standing.hasEnded ? left : wanted).filter((act) => {
    const event = eventOf(standing.course, standing.step, act);
    return event !== undefined && targetOf(standing.course, standing.step, event) !== undefined;
  });
}
