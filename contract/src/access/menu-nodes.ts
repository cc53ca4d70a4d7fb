import type { ReleaseType } from '../engines/approval/steps.ts';
import { GENERAL, packageActs, packagePermission, type TaskKind, taskActs, taskPermission } from '../engines/rollout/task-kind.ts';
import type { Platform } from '../kit/call.ts';
import { generalKinds } from '../task/general-kinds.ts';

/** Menu node of specification section 3. Type 1 groups, 2 is a page, 3 a button hidden from navigation (section 6). */
export interface MenuNode {
  readonly id: number;
  readonly code: string;
  readonly type: 1 | 2 | 3;
  readonly url: string | undefined;
  readonly icon: string | undefined;
  readonly perms: readonly string[];
  readonly platforms: readonly Platform[];
  /** Never granted to a region (design 2, "Nobody grants a menu they don't hold"). */
  readonly platformOnly: boolean;
  readonly children: readonly MenuNode[];
}

type Options = { icon?: string; platformOnly?: boolean };
export const both: readonly Platform[] = ['centre', 'manager'];

export const folder = (
  id: number,
  code: string,
  platforms: readonly Platform[],
  icon: string,
  children: readonly MenuNode[],
): MenuNode => ({
  id,
  code,
  type: 1,
  url: undefined,
  icon,
  perms: [],
  platforms,
  platformOnly: false,
  children,
});
/** A page is shown to holders of its `:page` permission; its buttons hang below it. */
export const page = (
  id: number,
  code: string,
  url: string,
  platforms: readonly Platform[],
  perm: string,
  buttons: readonly (string | { readonly code: string; readonly platformOnly: true })[] = [],
  options: Options = {},
): MenuNode => ({
  id,
  code,
  type: 2,
  url,
  icon: options.icon,
  perms: [perm],
  platforms,
  platformOnly: options.platformOnly ?? false,
  children: buttons.map((button, at) => {
    const code = typeof button === 'string' ? button : button.code;
    return {
      id: id * 100 + at + 1,
      code,
      type: 3 as const,
      url: undefined,
      icon: undefined,
      perms: [code],
      platforms,
      platformOnly: typeof button !== 'string' || (options.platformOnly ?? false),
      children: [],
    };
  }),
});

/** The releases of a kind, and its packages. */
export const releases = (id: number, code: string, kind: TaskKind, icon: string): MenuNode =>
  page(
    id,
    code,
    kind.screens.list,
    ['centre'],
    taskPermission(kind, 'page'),
    taskActs.map((act) => taskPermission(kind, act)),
    { icon },
  );
export const packages = (id: number, code: string, kind: TaskKind & { screens: { packages: string } }, icon: string): MenuNode =>
  page(
    id,
    code,
    kind.screens.packages,
    ['centre'],
    packagePermission(kind, 'page'),
    packageActs.map((act) => packagePermission(kind, act)),
    { icon },
  );

/** What terminals show. */
export const content = (id: number, part: string, url: string, icon: string): MenuNode =>
  page(
    id,
    part,
    url,
    ['centre'],
    `desktop:${part}:page`,
    ['add', 'update', 'delete', 'publish'].map((act) => `desktop:${part}:${act}`),
    { icon },
  );

/** What lies in stock, comes there and leaves it. */
export const stock = (id: number, code: string, url: string, part: string, acts: readonly string[]): MenuNode =>
  page(
    id,
    code,
    url,
    ['manager'],
    `inventory:${part}:page`,
    acts.map((act) => `inventory:${part}:${act}`),
    { icon: part },
  );

/** General releases: one entry, and below it what may be done with those of each kind. */
export const generalReleases = (id: number, code: string, icon: string): MenuNode =>
  page(
    id,
    code,
    GENERAL,
    ['centre'],
    'tms:task:page',
    generalKinds.flatMap((kind) => (['page', ...taskActs] as const).map((act) => taskPermission(kind, act))),
    { icon },
  );

/** Approvals of the releases of a kind. */
export const approvals = (id: number, code: string, taskType: ReleaseType, { kind }: TaskKind, icon: string): MenuNode =>
  page(id, code, `/approveTask/${taskType}/list`, ['centre'], `approval:${kind}:page`, [`approval:${kind}:decide`], { icon });

export const memberButtons = (page: string) =>
  ['add', 'update', 'state', 'secure', 'audit', 'export'].map((button) => `access:${page}:${button}`);
export const roleButtons = (page: string) => ['add', 'update', 'delete'].map((button) => `access:${page}:${button}`);
