/** Something that releases send to terminals: a kind of package, or settings. Everything else about it is the engine's. */
export interface TaskKind {
  /** Its name on the wire: what deployments, capabilities and signed manifests say. */
  readonly kind: string;
  /** Permission strings begin with it, where the specification fixes them (section 6); else with the kind's name. */
  readonly permission?: `${string}:${string}`;
  /** What a terminal must say that it can do; every one can that has none. */
  readonly capability?: string;
  readonly domain: string;
  /** Base paths of its groups of calls (specification, section 7). */
  readonly paths: {
    readonly tasks: string;
    /** Pre-tasks, where it has any. */
    readonly preTasks?: string;
    readonly results: string;
    readonly packages?: string;
  };
  /** Addresses of its screens (section 2). */
  readonly screens: { readonly list: string; readonly task: string; readonly packages?: string };
}

export type TaskAct = 'page' | 'add' | 'enable' | 'pause' | 'cancel' | 'delete' | 'retry' | 'export';
export type PackageAct = 'page' | 'add' | 'publish' | 'delete';

export const taskPermission = (of: Pick<TaskKind, 'kind' | 'permission'>, act: TaskAct): `${string}:${string}` =>
  `${of.permission ?? (`${of.kind}:task` as const)}:${act}`;
export const packagePermission = ({ kind }: Pick<TaskKind, 'kind'>, act: PackageAct): `${string}:${string}` => `${kind}:package:${act}`;

export const taskActs: readonly TaskAct[] = ['add', 'enable', 'pause', 'cancel', 'delete', 'retry', 'export'];
export const packageActs: readonly PackageAct[] = ['add', 'publish', 'delete'];

/** Keys of the groups of calls that show its tasks and their devices. */
export const taskGroups = ({ paths }: TaskKind): string[] =>
  [paths.tasks, paths.preTasks, paths.results].filter((path) => path !== undefined);
