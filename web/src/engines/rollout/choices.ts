import { deviceCalls } from '@mooring/contract/device/calls';
import type { TaskCalls } from '@mooring/contract/engines/rollout/task-calls';
import type { Offered } from '../../kit/form/types.ts';
import type { Choice } from '../../kit/list/types.ts';
import { useCall } from '../../kit/queries.ts';
import { usePackageRelease } from './kind-context.tsx';
import { withKind } from './with-kind.ts';

type Choices = Offered<Choice>;

type Chosen = readonly (string | number)[];
const missingOf = (chosen: Chosen, found: readonly { id: number }[] | undefined): number[] =>
  chosen.map(Number).filter((id) => Number.isInteger(id) && found !== undefined && !found.some((one) => one.id === id));

/** Published packages, newest first; and the one that is chosen already, whatever became of it. */
export function usePackages(text: string, chosen: Chosen): Choices {
  const {
    calls: { packages: calls },
    of: { kind },
  } = usePackageRelease();
  const found = useCall(
    calls.page,
    { criteria: { publishState: { in: ['1', '3'] }, ...(text ? { text } : {}) }, page: { size: 50 } },
    { keep: true },
  );
  const [missing] = missingOf(chosen, found.data?.content);
  const own = useCall(calls.detail, { id: missing ?? 0 }, { enabled: missing !== undefined });
  const packages = [...(found.data?.content ?? []), ...(missing !== undefined && own.data ? [own.data] : [])];
  return {
    choices: packages.map((one) => ({ value: one.id, label: { text: withKind(nameOf(one), one.kind) } })),
    busy: found.fetching || own.fetching,
    madeOn: [`${kind}Package`],
  };
}
const nameOf = (one: { productName: string; name: string; version: string }) =>
  [one.productName, one.name, one.version].filter(Boolean).join(' · ');

/** Versions, of what a package is of, that terminals have now; newer ones too, since whether those may go back is asked later. */
export function useVersions(calls: Pick<TaskCalls, 'preview'>, packageId: unknown): Choices {
  const known = typeof packageId === 'number';
  const found = useCall(
    calls.preview,
    { packageId: known ? packageId : 0, scope: { releaseScope: '0' }, delivery: { allowDowngrade: true } },
    { enabled: known },
  );
  const versions = (found.data?.byVersion ?? []).flatMap(({ version, count }) => (version === null ? [] : [{ version, count }]));
  return {
    choices: versions.map(({ version, count }) => ({ value: version, label: { text: `${version} (${count})` } })),
    busy: found.fetching,
  };
}

export function useTags(): Choices {
  const found = useCall(deviceCalls.tags, {});
  return { choices: (found.data ?? []).map((tag) => ({ value: tag, label: { text: tag } })), busy: found.fetching };
}
