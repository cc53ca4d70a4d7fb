import type { DifferenceCalls } from '@mooring/contract/engines/rollout/difference-calls';
import type { PackageCalls } from '@mooring/contract/engines/rollout/package-calls';
import type { Task, TaskCalls, TaskDeviceCalls } from '@mooring/contract/engines/rollout/task-calls';
import type { TaskKind } from '@mooring/contract/engines/rollout/task-kind';
import type { z } from 'zod';
import type { FieldSpec, Values } from '../../kit/form/types.ts';
import type { TextKey } from '../../ui/words.ts';

/** What people call things of a kind, and what they see where there are none. */
interface Called {
  readonly title: TextKey;
  readonly empty: TextKey;
  readonly emptyText: TextKey;
}

interface Along {
  readonly name: string;
  readonly to: string | undefined;
}

/** What a kind sets on terminals: its fields in the wizard, and its words everywhere else. */
export interface ContentSpec {
  /** What it is called, where it isn't a setting. */
  readonly title?: TextKey;
  readonly schema: z.ZodType;
  readonly initial: Values;
  /** What an address that leads to the wizard says of it. */
  readonly from?: (search: URLSearchParams) => Values;
  /** What of a release that is copied the person may send; all of it where it isn't said. */
  readonly copied?: (content: Values) => Values;
  readonly fields: readonly FieldSpec[];
  readonly words: (content: Values) => string;
  /** What travels along with it, and where that is shown. */
  readonly along?: { readonly title: TextKey; readonly of: (content: Values) => Along | undefined };
  /** What of it the preview needs; all of it where it isn't said. */
  readonly asked?: (content: Values) => Values;
  /** Terminals download it; otherwise it travels with the release itself. */
  readonly downloads?: true;
}

/** A kind of release: what is its own. Lists, wizard and pages are the engine's. */
export interface ReleaseKind extends Called {
  readonly of: TaskKind;
  readonly calls: {
    readonly tasks: TaskCalls;
    readonly preTasks?: TaskCalls;
    readonly devices: TaskDeviceCalls;
    readonly packages?: PackageCalls;
    readonly differences?: DifferenceCalls;
  };
  readonly packages?: Called & {
    /** File kind of the specification, section 9. */
    readonly fileType: string;
    /** Of files that are taken unread. */
    readonly rawType?: string;
    /** How many terminals have which version is counted as it changes. */
    readonly counted?: true;
    /** Where the kind has several parts, what they are called. */
    readonly name?: { readonly label: TextKey; readonly help: TextKey };
  };
  readonly content?: ContentSpec;
  /** Of content that has versions, of which terminals get what differs: the page with that, and what is said of those that have none. */
  readonly versions?: { readonly deltas: (content: Values) => string | undefined; readonly absent: TextKey };
}
/** One that is sent as a package. */
export type PackageRelease = ReleaseKind &
  Required<Pick<ReleaseKind, 'packages'>> & { readonly calls: { readonly packages: PackageCalls } };
/** What of the way that a release goes out there is to choose, by what it brings. */
export interface Brings {
  /** Bytes that are downloaded, at once or in the window. */
  readonly downloads: boolean;
  /** Versions that follow one another: a terminal refuses an older one, unless the release allows it. */
  readonly versions: boolean;
}
export const bringsOf = ({ packages, content, versions }: ReleaseKind): Brings => ({
  downloads: packages !== undefined || content?.downloads === true,
  versions: packages !== undefined || versions !== undefined,
});

export const isPackaged = (kind: ReleaseKind): kind is PackageRelease => kind.packages !== undefined && kind.calls.packages !== undefined;

/** What a task sends, in a line. */
export function sentBy(kind: ReleaseKind, { package: of, content }: Pick<Task, 'package'> & { readonly content: Values | null }): string {
  if (of) return [of.productName, of.name, of.version].filter(Boolean).join(' ');
  if (!content || !kind.content) return '–';
  const along = kind.content.along?.of(content);
  return [kind.content.words(content), along?.name].filter(Boolean).join(' + ');
}

export const taskPath = (kind: ReleaseKind, row: { id: number }): string => `${kind.of.screens.task}/${row.id}`;
