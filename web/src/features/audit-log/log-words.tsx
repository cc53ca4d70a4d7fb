import { eachMenu } from '@mooring/contract/access/menus';
import type { LogOutcome } from '@mooring/contract/audit-log/outcome';
import { wordsOfTarget } from '@mooring/contract/audit-log/target';
import type { Tone } from '@mooring/contract/kit/state-machine';
import { Value } from '../../kit/list/cells.tsx';
import { StatusTag, Tag } from '../../ui/status-tag.tsx';
import { hasText, type T, t, useFormat, useLooseT, useT } from '../../ui/words.ts';

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

interface Acted {
  readonly text: string;
  readonly page: string | null;
}
/** What was done, in words. */
export const actionWords = ({ text, page }: Acted, translate: T = t): string =>
  hasText(text) ? translate(text, page === null ? {} : { page: pageWords(page, translate) }) : translate('log.call.unknown');
const pageWords = (page: string, translate: T) => {
  const key: string = `menu.${page}`;
  return hasText(key) ? translate(key) : page;
};

export function Action({ of }: { of: Acted }) {
  const words = actionWords(of, useT());
  return <span title={words}>{words}</span>;
}

const tones: Record<LogOutcome, Tone> = { done: 'good', refused: 'bad', secondStep: 'idle', requested: 'idle', noSession: 'idle' };
/** What became of it, and how often within the minute where something was refused again and again. */
export function Result({ of, count = 1 }: { of: { outcome: LogOutcome; result: string }; count?: number }) {
  const t = useT();
  const loose = useLooseT();
  const words = of.outcome === 'refused' ? loose(`fault.${of.result}`, t('log.result.refused')) : t(`log.result.${of.outcome}`);
  return (
    <span className="m-row" title={words}>
      {count > 1 ? <Tag>{`×${count}`}</Tag> : null}
      <StatusTag tone={tones[of.outcome]}>{words}</StatusTag>
    </span>
  );
}

/** To the second: what follows within a minute is told apart. */
export function At({ of }: { of: string }) {
  const format = useFormat();
  return <time dateTime={of}>{format.moment(of, 'second')}</time>;
}

export function Actor({ name, dept }: { name: string; dept: string | null }) {
  const t = useT();
  if (name === '') return <span className="m-faint">{t('log.nobody')}</span>;
  return <Value value={dept ? `${name} (${dept})` : name} />;
}
