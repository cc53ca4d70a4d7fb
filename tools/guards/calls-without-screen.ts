import type { SourceFile } from './source-files.ts';

/** Changes that no screen offers, each with whom it is for. */
const forOthers: ReadonlyMap<string, string> = new Map([
  ['deviceCalls.setConfig', 'systems that keep the configuration of terminals'],
  ['messageCalls.third', 'systems that tell people something'],
  ['signingKeyCalls.activate', 'the second person, by approving the request that it waits for'],
  ['appUrlCalls.fetch', 'systems that take packages with an app key'],
  ['fileCalls.delete', 'the specification; files go with what they belong to'],
  ['appVersionCalls.upload', 'build servers, by the command that the developer centre shows'],
  ['fileCalls.upImage', 'the specification; pictures go up like any file'],
  ['fileCalls.upFiwFile', 'the specification; firmware goes up in parts'],
  ['preTaskCalls.openRing', 'the page of a release, which is one for both classes, opens its rings by taskCalls'],
  ['preTaskCalls.submit', 'systems that make a draft first; the console releases in one step'],
  ['taskCalls.submit', 'systems that make a draft first; the console releases in one step'],
  ...[
    'moduleTaskCalls',
    'patchTaskCalls',
    'patchPreTaskCalls',
    'appPermissionCalls',
    'networkConfigCalls',
    'paramTaskCalls',
    'advertTaskCalls',
    'customizationTaskCalls',
    'desktopTaskCalls',
    'androidTaskCalls',
    'softAppTaskCalls',
  ].map((group) => [`${group}.submit`, 'systems that make a draft first; the console releases in one step'] as const),
  ['patchPreTaskCalls.openRing', 'the page of a release, which is one for both classes, opens its rings by patchTaskCalls'],
]);

/** A feature hands its groups to an engine by what they are: `calls: { tasks: moduleTaskCalls, … }`. */
const handed = (text: string, group: string): string[] =>
  [...text.matchAll(new RegExp(`\\b(\\w+): ${group}\\b`, 'g'))].map((found) => found[1] ?? '');
const roleIn = (role: string) => `(?:${role}|calls)`;

/** Groups that every kind has are asked for by the kind, not by their names. */
const askedBy = (group: string): string => (group.endsWith('DriftCalls') ? 'driftCallsFor' : group);

/** What a page that is made of a row's declaration offers of its calls, without naming each. */
const fromRow = (group: string, name: string) => {
  const of = String.raw`\(\s*\w+,\s*${group}\b`;
  if (name === 'add' || name === 'update') return new RegExp(`\\b(formPage|formDialogs)${of}`);
  if (name === 'delete' || name === 'export') return new RegExp(`\\b(listPage|listOf)${of}`);
  return new RegExp(`\\b(listPage|listOf)${of}[^]*\\b${name}: \\{\\s*successText`);
};

/** Calls that change something and that nobody can make in the console. `groups` has the changes of each group by the name of its constant. */
export function callsWithoutScreen(groups: Readonly<Record<string, readonly string[]>>, files: readonly SourceFile[]): string[] {
  const screens = files.filter(({ path }) => path.startsWith('web/src/') && !path.endsWith('.test.ts'));
  const engines = screens.filter(({ path }) => path.startsWith('web/src/engines/')).map(({ text }) => text);
  return Object.entries(groups).flatMap(([group, names]) => {
    const texts = screens.map(({ text }) => text).filter((text) => text.includes(askedBy(group)));
    // Two groups of one shape share a screen, which calls whichever it was given `calls`.
    const roles = texts.flatMap((text) => handed(text, group));
    const isMade = (name: string) =>
      texts.some((text) => new RegExp(`\\b(${group}|calls)\\.${name}\\b`).test(text) || fromRow(group, name).test(text)) ||
      roles.some((role) => engines.some((text) => new RegExp(`\\b${roleIn(role)}\\.${name}\\b`).test(text)));
    return names
      .map((name) => [name, `${group}.${name}`] as const)
      .flatMap(([name, call]) => (isMade(name) || forOthers.has(call) ? [] : [call]));
  });
}
