import { eachMenu } from '@mooring/contract/access/menus';
import { isGeneral, type TaskKind } from '@mooring/contract/engines/rollout/task-kind';
import { releaseKinds } from '@mooring/contract/release-kinds';
import { parseSync } from 'oxc-parser';
import { isCode, type SourceFile } from '../guards/source-files.ts';

/** A screen as the console declares it. Read from the sources, since the pages behind it need a browser. */
export interface DeclaredRoute {
  readonly path: string;
  /** The feature that declares it; `app` for the shell. */
  readonly domain: string;
  readonly permission: string | readonly string[];
  readonly platform: string | undefined;
  readonly file: string;
}

type Node = { type: string; [key: string]: unknown };
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** Every node below, whatever its kind. */
function* nodesIn(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const one of value) yield* nodesIn(one);
  else if (isNode(value)) {
    yield value;
    for (const child of Object.values(value)) yield* nodesIn(child);
  }
}

const isRouteCall = (node: Node) => node.type === 'CallExpression' && isNode(node.callee) && node.callee.name === 'route';

type Literals = Readonly<Record<string, unknown>>;

/** What is written out, or made of what has a name here: `${task}/:id`. Undefined where a part has none. */
function wordOf(node: Node | undefined, words: Literals): unknown {
  if (node?.type === 'Identifier') return words[String(node.name)];
  if (node?.type !== 'TemplateLiteral') return node?.value;
  const parts = (node.expressions as Node[]).map((one) => wordOf(one, words));
  if (parts.includes(undefined)) return undefined;
  return (node.quasis as { value: { cooked: string } }[]).map(({ value }, at) => `${value.cooked}${parts[at] ?? ''}`).join('');
}

/** The literal properties of an object, and of those that it spreads by name. */
function literalsOf(object: Node | undefined, named: ReadonlyMap<string, Literals>, words: Literals = {}): Literals {
  const properties = (object?.properties ?? []) as { type: string; key?: Node; value?: Node; argument?: Node }[];
  return Object.assign(
    {},
    ...properties.map(({ type, key, value, argument }) =>
      type === 'SpreadElement' ? named.get(String(argument?.name)) : { [String(key?.name ?? key?.value)]: wordOf(value, words) },
    ),
  ) as Literals;
}

/** `const below = { platform: 'centre' } as const` of a file. */
function constantsOf(nodes: readonly Node[]): Map<string, Literals> {
  const found = new Map<string, Literals>();
  for (const { type, id, init } of nodes) {
    if (type !== 'VariableDeclarator' || !isNode(id) || !isNode(init)) continue;
    const object = init.type === 'TSAsExpression' ? (init.expression as Node) : init;
    if (object.type === 'ObjectExpression') found.set(String(id.name), literalsOf(object, found));
  }
  return found;
}

const menuOf = new Map(eachMenu().map((node) => [node.url, node]));

function permissionOf(path: string, isOpen: boolean): string | readonly string[] {
  if (isOpen) return 'public';
  const perms = menuOf.get(path.replace(/\/$/, ''))?.perms ?? menuOf.get(path)?.perms;
  return perms && perms.length > 0 ? (perms.length === 1 ? (perms[0] ?? 'session') : perms) : 'session';
}

function routeCalls(
  { path: file, text }: SourceFile,
  words?: Literals,
): { path: unknown; platform: unknown; open: unknown; file: string }[] {
  const nodes = [...nodesIn(parseSync(file, text).program.body)];
  const constants = constantsOf(nodes);
  return nodes.filter(isRouteCall).map((call) => {
    const { path, platform, open } = literalsOf((call.arguments as Node[])[0], constants, words);
    return { path, platform, open, file };
  });
}

const platformIn = (platform: unknown) => (typeof platform === 'string' ? platform : undefined);

function routesOf(source: SourceFile): DeclaredRoute[] {
  const domain = /^web\/src\/features\/([^/]+)\//.exec(source.path)?.[1] ?? 'app';
  return routeCalls(source).map(({ path, platform, open, file }) => {
    if (typeof path !== 'string') throw new Error(`${file}: the path of a route is written out, so that it can be listed`);
    return { path, domain, permission: permissionOf(path, open === true), platform: platformIn(platform), file };
  });
}

/** The engine's screens of one kind of release, where it has them: they lie below the addresses that the kind names. */
function releaseRoutesOf(source: SourceFile, { domain, screens, paths }: TaskKind): DeclaredRoute[] {
  const isThere = (path: unknown): path is string =>
    typeof path === 'string' && (paths.preTasks !== undefined || !path.startsWith(`${screens.task}/pre/`));
  return routeCalls(source, screens).flatMap(({ path, platform, file }) =>
    isThere(path) ? [{ path, domain, permission: permissionOf(path, false), platform: platformIn(platform), file }] : [],
  );
}
const ownScreens = releaseKinds.filter((kind) => !isGeneral(kind));
const isEngine = ({ path }: SourceFile) => path === 'web/src/engines/rollout/pages.ts';

/** Screens that exist during development only. */
const isInBuild = (route: DeclaredRoute) => !route.path.startsWith('/__');

export const declaredRoutes = (files: readonly SourceFile[]): DeclaredRoute[] =>
  files
    .filter(({ path }) => /^web\/src\/(app|engines|features)\//.test(path) && isCode(path) && !/\.test\.tsx?$/.test(path))
    .flatMap((source) => (isEngine(source) ? ownScreens.flatMap((kind) => releaseRoutesOf(source, kind)) : routesOf(source)))
    .filter(isInBuild);
