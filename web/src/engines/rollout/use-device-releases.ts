import { deviceReleaseCalls } from '@mooring/contract/device/release-calls';
import type { OutputOf } from '@mooring/contract/kit/call';
import { useCall } from '../../kit/queries.ts';
import { mayCall } from '../../kit/session.ts';
import { useKinds } from './kind-context.tsx';
import { type ReleaseKind, sentBy } from './release-kind.ts';

type Listed = OutputOf<typeof deviceReleaseCalls.list>[number];
export type DeviceRelease = Omit<Listed, 'kind'> & { readonly kind: ReleaseKind };

/** What it brought to the terminal, in a line. */
export const sentTo = ({ kind, content, taskVersion }: DeviceRelease): string =>
  content ? sentBy(kind, { package: null, content }) : taskVersion;

/** Releases of all kinds that are, or were, for a terminal; newest first. */
export function useDeviceReleases(deviceId: number) {
  const kinds = useKinds();
  const { data, error, retry } = useCall(deviceReleaseCalls.list, { deviceId }, { enabled: mayCall(deviceReleaseCalls.list), every: 15 });
  const releases = data?.flatMap((one): DeviceRelease[] => {
    const kind = kinds.find(({ of }) => of.kind === one.kind);
    return kind ? [{ ...one, kind }] : [];
  });
  return { releases, error, retry };
}
