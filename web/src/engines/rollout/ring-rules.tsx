import { deviceGroupCalls } from '@mooring/contract/device/group-calls';
import { namesTerminals, type Ring } from '@mooring/contract/engines/rollout/rings';
import { merchantCalls } from '@mooring/contract/merchant/calls';
import { deptCalls } from '@mooring/contract/org/calls';
import { useCall } from '../../kit/queries.ts';
import { mayCall } from '../../kit/session.ts';
import { useFormat, useT } from '../../ui/words.ts';

/** What organisations are called. */
export function DeptNames({ ids }: { ids: readonly number[] }) {
  const found = useCall(deptCalls.search, { ids: [...ids] }, { enabled: ids.length > 0 });
  if (ids.length === 0) return '–';
  return (found.data ?? []).map((one) => one.name).join(', ') || '…';
}

/** What groups are called. */
export function GroupNames({ ids }: { ids: readonly number[] }) {
  const found = useCall(deviceGroupCalls.list, { ids: [...ids] }, { enabled: ids.length > 0 });
  if (ids.length === 0) return '–';
  return (found.data ?? []).map((one) => one.name).join(', ') || '…';
}

/** What merchants are called; to who may look up none, how many they are. */
export function MerchantNames({ ids }: { ids: readonly number[] }) {
  const t = useT();
  const may = mayCall(merchantCalls.search);
  const found = useCall(merchantCalls.search, { ids: [...ids] }, { enabled: may && ids.length > 0 });
  if (ids.length === 0) return '–';
  if (!may) return t('firmware.task.merchantCount', { count: ids.length });
  return (found.data ?? []).map((one) => one.name).join(', ') || '…';
}

type Gates = Pick<Ring, 'openAt' | 'haltAt' | 'soakMinutes' | 'waitForPerson'>;
/** When the next ring opens, and what halts the release. */
export function useRingGates(): (ring: Gates, last: boolean) => readonly string[] {
  const t = useT();
  const format = useFormat();
  const percent = (value: number) => format.percent(value / 100);
  return (ring, last) => [
    ...(last
      ? []
      : [
          t('ring.rule.openAt', { share: percent(ring.openAt) }),
          ...(ring.soakMinutes ? [t('ring.rule.soak', { time: format.span(ring.soakMinutes * 60) })] : []),
          ...(ring.waitForPerson ? [t('ring.rule.byHand')] : []),
        ]),
    ...(ring.haltAt ? [t('ring.rule.haltAt', { share: percent(ring.haltAt) })] : []),
  ];
}

function useRule(): (ring: Ring, last: boolean) => string {
  const t = useT();
  const format = useFormat();
  const gates = useRingGates();
  return (ring, last) =>
    [
      ...(last
        ? [t('ring.rest')]
        : [
            ...(namesTerminals(ring) ? [] : [t('ring.rule.share', { share: format.percent(ring.share / 100) })]),
            ...(ring.tags ? [ring.tags.join(', ')] : []),
            ...(ring.sns ? [t('firmware.task.snsCount', { count: ring.sns.length })] : []),
          ]),
      ...gates(ring, last),
    ].join(' · ');
}

/** The rings of a release, a line each. */
export function RingRules({ rings }: { rings: readonly Ring[] }) {
  const t = useT();
  const rule = useRule();
  if (rings.length < 2) return t('ring.allAtOnce');
  return (
    <ol className="m-ring-rules">
      {rings.map((ring, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a ring is its place
        <li key={at}>
          {ring.deptIds ? (
            <>
              <DeptNames ids={ring.deptIds} />
              {' · '}
            </>
          ) : null}
          {ring.groupIds ? (
            <>
              <GroupNames ids={ring.groupIds} />
              {' · '}
            </>
          ) : null}
          {ring.merchantIds ? (
            <>
              <MerchantNames ids={ring.merchantIds} />
              {' · '}
            </>
          ) : null}
          {rule(ring, at === rings.length - 1)}
        </li>
      ))}
    </ol>
  );
}
