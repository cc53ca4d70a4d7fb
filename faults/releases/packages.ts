import type { PackageTaskCalls } from '@mooring/contract/engines/rollout/task-calls';
import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { modulePackageCalls, moduleTaskCalls } from '@mooring/contract/module/calls';
import { patchPackageCalls, patchTaskCalls } from '@mooring/contract/patch/calls';
import { waitFor } from '../../e2e/stack.ts';
import { seededBytes, sha256 } from '../bytes.ts';
import { upload } from '../upload.ts';
import type { TerminalState } from '../world/fleet-child.ts';
import type { Round, Sent } from './sent.ts';

type Packages = typeof packageCalls | typeof modulePackageCalls | typeof patchPackageCalls;
type Calls = { readonly packages: Packages; readonly tasks: PackageTaskCalls };
interface Of {
  readonly kind: 'firmware' | 'module' | 'patch';
  readonly calls: Calls;
  readonly size: number;
  readonly fileType: string;
  /** Of a module. */
  readonly more?: { readonly name: string };
  version(round: number): string;
  runs(terminal: TerminalState): string | undefined;
}

const MODULE = 'sp';
const kinds: readonly Of[] = [
  {
    kind: 'firmware',
    calls: { packages: packageCalls, tasks: taskCalls },
    size: 300_000,
    fileType: '5',
    version: (round) => `2.0.${round}`,
    runs: ({ firmware }) => firmware,
  },
  {
    kind: 'module',
    calls: { packages: modulePackageCalls, tasks: moduleTaskCalls },
    size: 60_000,
    fileType: '6',
    more: { name: MODULE },
    version: (round) => `9.0.${round}`,
    runs: ({ parts }) => parts[`module:${MODULE}`],
  },
  {
    kind: 'patch',
    calls: { packages: patchPackageCalls, tasks: patchTaskCalls },
    size: 60_000,
    fileType: '5',
    version: (round) => `2027-01.${round}`,
    runs: ({ parts }) => parts.patch,
  },
];

async function sendPackage({ world, seed, round, input }: Round, of: Of): Promise<Sent> {
  const { kind, calls, size, fileType, more = {} } = of;
  const version = of.version(round);
  const bytes = seededBytes(kind === 'firmware' ? `${seed} ${version}` : `${seed} ${kind} ${version}`, size);
  const file = await upload(world, `${kind}-${version}.zip`, bytes, { fileType });
  const { console, productId } = world;
  const added = await console.insist(calls.packages.add, { productId, version, fileId: file?.id ?? 0, ...more });
  await console.insist(calls.packages.publish, { id: added.id });
  const isPublished = async () => (await console.insist(calls.packages.detail, { id: added.id })).publishState === '1';
  await waitFor(isPublished, `the ${kind} to be published`, 60);
  const { id: taskId } = await console.insist(calls.tasks.add, { ...input, packageId: added.id });
  return { kind, taskId, installed: { version, sha256: sha256(bytes) }, holds: (terminal) => of.runs(terminal) === version };
}

export const packageReleases = kinds.map((of) => (round: Round) => sendPackage(round, of));
