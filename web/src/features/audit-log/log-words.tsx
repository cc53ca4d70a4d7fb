import { eachMenu } from '@mooring/contract/access/menus';
import { wordsOfTarget } from '@mooring/contract/audit-log/target';
import { Value } from '../../kit/list/cells.tsx';
import { useLooseT, useT } from '../../ui/words.ts';

/** What an act was on, in the words of who reads the log. */
export function Target({ of }: { of: string | null }) {
  const t = useT();
  return <Value value={of && wordsOfTarget(of, t)} />;
}

const screens = new Map(eachMenu().flatMap((node) => (node.url ? [[node.url, node.code] as const] : [])));

/** A visited screen by the name that it has in the menu; one below it stands with its address. */
export function Screen({ path }: { path: string }) {
  const loose = useLooseT();
  const at = [...screens.keys()].filter((url) => path === url || path.startsWith(`${url}/`)).sort((a, b) => b.length - a.length)[0];
  const name = at === undefined ? undefined : loose(`menu.${screens.get(at)}`, path);
  return name === undefined ? (
    <Value value={path} kind="code" />
  ) : (
    <span>
      <bdi>{name}</bdi> <span className="m-mono m-muted m-small">{path}</span>
    </span>
  );
}

/** What was done in the words of the menu, and the call itself. */
export function Act({ of, call }: { of: { page: string; verb: string | null } | null; call: string }) {
  const t = useT();
  const loose = useLooseT();
  if (!of) {
    const said = loose(`log.call.${call}`, '');
    return said === '' ? <Value value={call} kind="code" /> : <span title={call}>{said}</span>;
  }
  const page = loose(`menu.${of.page}`, of.page);
  const words = of.verb === null ? page : t('kit.act.of', { act: page, name: loose(`access.verb.${of.verb}`, of.verb) });
  return (
    <span title={`${words} ${call}`}>
      {words} <span className="m-mono m-muted m-small">{call}</span>
    </span>
  );
}

export function Actor({ name, dept }: { name: string; dept: string | null }) {
  const t = useT();
  if (name === '') return <span className="m-faint">{t('log.nobody')}</span>;
  return <Value value={dept ? `${name} (${dept})` : name} />;
}
