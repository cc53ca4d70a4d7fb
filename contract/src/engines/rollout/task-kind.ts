/** Something that releases send to terminals: a kind of package, or settings. Everything else about it is the engine's. */
export interface TaskKind {
  /** Its name on the wire: what deployments, capabilities and signed manifests say. */
  readonly kind: string;
  /** Permission strings begin with it, where the specification fixes them (section 6); else with the kind's name. */
  readonly permission?: `${string}:${string}`;
  /** What a terminal must say that it can do; every one can that has none. */
  readonly capability?: string;
  readonly domain: string;
  /** Menu entry of what it sends, where several kinds share their screens: the log tells them apart by it. */
  readonly sends?: string;
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

/** Where general releases are shown and asked for: one family of screens and calls for several kinds (specification, sections 2 and 7). */
export const GENERAL = '/task';
export const isGeneral = ({ screens }: Pick<TaskKind, 'screens'>): boolean => screens.list === GENERAL;

/** Keys of the groups of calls that show its tasks and their devices. */
export const taskGroups = (kind: TaskKind): string[] =>
  [kind.paths.tasks, kind.paths.preTasks, kind.paths.results, isGeneral(kind) ? GENERAL : undefined].filter((path) => path !== undefined);

/** Where what differs from what its tasks left is asked for. */
export const driftPath = ({ paths }: Pick<TaskKind, 'paths'>): string => `${paths.tasks}/drift`;
export const GENERAL_DRIFT = `${GENERAL}/drift`;
/** Keys of the groups of calls that show it: of the kind, of all general ones, and of a device. */
export const driftGroups = (kind: TaskKind): string[] => [driftPath(kind), ...(isGeneral(kind) ? [GENERAL_DRIFT] : []), '/device/releases'];

/** Where a task of the kind is written anew. */
export const newTaskScreen = (kind: Pick<TaskKind, 'kind' | 'screens'>): string =>
  isGeneral(kind) ? `${GENERAL}/create/${kind.kind}` : `${kind.screens.task}/new`;
/** Where a task that is there is written. */
export const editTaskScreen = (kind: Pick<TaskKind, 'screens'>, id: number | string): string =>
  isGeneral(kind) ? `${GENERAL}/update/${id}` : `${kind.screens.task}/${id}/edit`;
