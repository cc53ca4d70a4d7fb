import type { Agreed as AgreedContent, AuditDetail, AuditDevices, AuditRecord } from '@mooring/contract/engines/approval/schemas';
import { approvalMachine } from '@mooring/contract/engines/approval/state-machines';
import { positionOf, type Stage, stepsOf } from '@mooring/contract/engines/approval/steps';
import type { z } from 'zod';
import type { T, TextKey } from '../../ui/words.ts';

export type Agreed = z.output<typeof AgreedContent>;
export type Detail = z.output<typeof AuditDetail>;
export type Devices = z.output<typeof AuditDevices>;
export type Record = z.output<typeof AuditRecord>;
export type Kept = Record['files'][number];

/** A step in words, by its code. */
export const stepText = (code: string): TextKey => `life.approval.${approvalMachine.byCode[code] ?? 'ended'}`;

/** Who did it, and for whom. */
export const whoDid = (t: T, { actor, onBehalfOf }: Pick<Record, 'actor' | 'onBehalfOf'>): string =>
  onBehalfOf.length > 0 ? t('approval.onBehalf', { name: actor, absent: onBehalfOf.join(', ') }) : actor || t('approval.byItself');

export interface LineStep {
  readonly code: string;
  readonly state: 'done' | 'now' | 'later' | 'bad';
  /** What passed it, since the stage was handed in last. */
  readonly record: Record | undefined;
  /** Milliseconds that it took, or has taken so far. */
  readonly took: number | undefined;
}

/** The steps of a stage, with who passed each, when, and how long it took. `now` is the clock of whoever looks. */
export function lineOf(
  stage: Stage,
  audit: { readonly step: string; readonly stepAt: string; readonly result: string },
  records: readonly Record[],
  now: number,
): LineStep[] {
  const at = positionOf(audit.step);
  const ofStage = records.filter((one) => positionOf(one.step).stage === stage);
  const from = ofStage.findLastIndex((one) => one.event === 'apply');
  const last = ofStage.slice(Math.max(0, from));
  const isBack = at.stage === stage && at.place === 'returned';
  const back = isBack ? last.at(-1)?.step : undefined;
  return stepsOf(stage).map((code) => {
    const passed = last.findLast(
      (one) =>
        one.step === code &&
        one.toStep !== one.step &&
        !['refuse', 'return', 'cancelTrial', 'cancelFull', 'end', 'expire', 'edit'].includes(one.event),
    );
    const confirmed = code === '34' && audit.result === '1' ? last.findLast((one) => one.step === code) : undefined;
    const record = passed ?? confirmed;
    const isNow = audit.step === code && !confirmed;
    const isHere = code === back;
    const before = record && records.slice(0, records.indexOf(record)).findLast((one) => one.event !== 'extend');
    const took = isNow ? now - Date.parse(audit.stepAt) : record && before ? Date.parse(record.at) - Date.parse(before.at) : undefined;
    return {
      code,
      state: isHere ? 'bad' : isNow ? 'now' : record ? 'done' : 'later',
      record: isHere ? last.at(-1) : record,
      took: isHere ? undefined : took,
    };
  });
}
