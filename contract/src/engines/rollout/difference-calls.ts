import { z } from 'zod';
import { allowedActions } from '../../kit/allowed-actions.ts';
import { call, calls } from '../../kit/call.ts';
import { filter, pageOf, pageQuery } from '../../kit/page.ts';
import { ById, documented, Id, Moment, ref } from '../../kit/schema.ts';
import { stateOf, transition } from '../../kit/state-machine.ts';
import { differenceMachine } from './state-machines.ts';
import { packagePermission, type TaskKind, taskPermission } from './task-kind.ts';

/** From this share of the full package on a difference isn't worth a second way to fail. */
export const WORTH_PERCENT = 70;
/** Larger images are sent in full. */
export const MOST_IMAGE_BYTES = 2 * 1024 ** 3;
/** So many are asked for at a time. */
export const MOST_BASES = 20;

/** Verification (specification, section 4): not yet, it makes the new version, or it doesn't. */
export const verifications = { none: '0', good: '1', wrong: '2' } as const;
export const differenceReasons = [
  'baseDamaged',
  'fullDamaged',
  'noSpace',
  'quota',
  'memory',
  'time',
  'broken',
  'resultWrong',
  'entriesOther',
] as const;
export type DifferenceReason = (typeof differenceReasons)[number];
/** Of the files as they are, or of packages with their entries unpacked, which terminals pack again. */
export const differenceForms = ['image', 'entries'] as const;
export type DifferenceForm = (typeof differenceForms)[number];

/** What the server makes of two versions, so that terminals fetch less. */
export const Difference = z
  .object({
    id: Id,
    packageId: Id,
    baseId: Id,
    base: z.string(),
    form: z.enum(differenceForms),
    state: stateOf(differenceMachine),
    verification: z.enum(['0', '1', '2']),
    reason: z.enum(differenceReasons).nullable(),
    /** Of its making, 0 to 100. */
    percent: z.int(),
    size: z.number().nullable(),
    fullSize: z.number(),
    saved: z.number().nullable(),
    savedPercent: z.number().nullable(),
    /** Small enough to be offered; null until it is made. */
    worth: z.boolean().nullable(),
    /** It comes in frames: terminals that don't say that they know them get the full package. */
    framed: z.boolean(),
    seconds: z.number().nullable(),
    /** Terminals in the scope that run its base now. */
    devices: z.int(),
    /** It goes into use by itself once it is verified, where it is worth it. */
    enableAtOnce: z.boolean(),
    createdBy: z.string(),
    createdAt: Moment,
    madeAt: Moment.nullable(),
    ...allowedActions,
  })
  .register(documented, { id: 'Difference' });
export type Difference = z.infer<typeof Difference>;

/** A version that a difference could start from. */
export const DifferenceBase = z.object({ id: Id, version: z.string(), size: z.number(), devices: z.int(), made: z.boolean() });

const Started = z.object({ started: z.int() });

// Of every kind alike, and so declared once.
const differencesInput = pageQuery({ packageId: filter.exact(Id) }, ['-createdAt', 'size']);
const differencesOutput = pageOf(Difference);
const basesOutput = z.array(DifferenceBase);
/** What leads to which is named by rows of this kind. */
export const differenceInputs = (entity: string) => {
  const OfPackage = z.strictObject({ packageId: ref(entity) });
  const asked = OfPackage.extend({ enableAtOnce: z.boolean().default(false) });
  return { OfPackage, asked, add: asked.extend({ baseIds: z.array(ref(entity)).min(1).max(MOST_BASES) }) };
};
const ofPackages = differenceInputs('package');

interface Declared {
  readonly domain: string;
  readonly base: string;
  readonly can: `${string}:${string}`;
  readonly seeing: `${string}:${string}`;
  readonly inputs: ReturnType<typeof differenceInputs>;
  /** What isn't out yet has none. */
  readonly unpublished: string;
}

export function declareDifferences({ domain, base, can, seeing, inputs, unpublished }: Declared) {
  const refusals = [unpublished, 'DIFFERENCES_UNAVAILABLE', 'DIFFERENCE_IMAGE_LARGE'];
  return calls(domain, base, {
    page: call({
      can: seeing,
      reads: true,
      input: differencesInput,
      output: differencesOutput,
    }),
    bases: call({
      can,
      reads: true,
      input: inputs.OfPackage,
      output: basesOutput,
      about: 'Published older full packages of the same thing, with how many terminals run them.',
    }),
    add: call({
      can,
      input: inputs.add,
      output: Started,
      faults: [...refusals, 'DIFFERENCE_EXISTS', 'DIFFERENCE_BASE_WRONG'],
    }),
    addAll: call({
      can,
      input: inputs.asked,
      output: Started,
      faults: [...refusals, 'DIFFERENCE_NO_BASES'],
      about: 'One from each version that terminals run and that has none yet.',
    }),
    enable: transition(differenceMachine, 'enable', can, Difference, { faults: ['DIFFERENCE_NOT_WORTH'] }),
    disable: transition(differenceMachine, 'disable', can, Difference),
    recheck: transition(differenceMachine, 'recheck', can, Difference, { faults: ['DIFFERENCE_NO_FILE'] }),
    regenerate: transition(differenceMachine, 'regenerate', can, Difference, { faults: refusals }),
    giveUp: transition(differenceMachine, 'giveUp', can, Difference),
    delete: call({ can, input: ById, faults: ['DIFFERENCE_ENABLED'] }),
  });
}
export type DifferenceCalls = ReturnType<typeof declareDifferences>;

/** Differences to the versions of a kind of package. */
export const differenceCallsOf = (kind: TaskKind & { paths: { packages: string } }): DifferenceCalls =>
  declareDifferences({
    domain: kind.domain,
    base: `${kind.paths.packages}/diff`,
    can: packagePermission(kind, 'publish'),
    seeing: `${packagePermission(kind, 'page')}||${taskPermission(kind, 'page')}`,
    inputs: ofPackages,
    unpublished: 'PACKAGE_NOT_PUBLISHED',
  });
