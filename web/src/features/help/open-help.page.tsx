import { openHelpCalls } from '@mooring/contract/help/calls';
import { type ReactNode, useEffect, useRef } from 'react';
import { Brand, useBrand } from '../../kit/brand.tsx';
import { api } from '../../kit/client.ts';
import { CallFailed } from '../../kit/dead-end.tsx';
import { Link } from '../../kit/link.tsx';
import { LanguageMenu, ThemeMenu } from '../../kit/look-menus.tsx';
import { refresh, useCall } from '../../kit/queries.ts';
import { useView } from '../../kit/view.ts';
import { Empty, PageSkeleton } from '../../ui/states.tsx';
import { useStore } from '../../ui/store.ts';
import { speech, useT } from '../../ui/words.ts';
import { ArticleText } from './article-view.tsx';
import { useWords } from './words.ts';
import './help.css';

const PATH = '/login/help';
const tokenOf = (key: string, fileId: number) => api(openHelpCalls.file, { key, fileId }, { hidden: true });

/** Whoever isn't signed in is led to what they may read; anything else would only ask them to sign in. */
const inside = (keys: readonly string[]) => (href: string, words: ReactNode) => {
  if (!href.startsWith('/')) return undefined;
  const key = /^\/help\/([a-z0-9-]+)$/.exec(href)?.[1];
  return key !== undefined && keys.includes(key) ? <Link to={`${PATH}/${key}`}>{words}</Link> : <span>{words}</span>;
};

function Article({ articleKey, keys }: { articleKey: string; keys: readonly string[] }) {
  const { data, error, retry } = useCall(openHelpCalls.read, { key: articleKey });
  if (!data) return error ? <CallFailed error={error} onRetry={retry} /> : <PageSkeleton />;
  return <ArticleText of={data} ask={tokenOf} link={inside(keys)} head={(title) => <h2>{title}</h2>} />;
}

/** What was read in another language is read anew: the server says which one an article has. */
function useLanguageAnew(): void {
  const { lang } = useStore(speech);
  const before = useRef(lang);
  useEffect(() => {
    if (before.current === lang) return;
    before.current = lang;
    refresh(openHelpCalls.list.group);
  }, [lang]);
}

/** Articles for whoever can't sign in: the first one is open, the others are named below. */
function OpenHelp() {
  const t = useT();
  const words = useWords();
  const brand = useBrand();
  const { params } = useView();
  const { data, error, retry } = useCall(openHelpCalls.list, {});
  useLanguageAnew();
  const title = t('help.open');
  useEffect(() => {
    document.title = `${title} · ${brand.name}`;
  }, [title, brand.name]);
  const shown = params.article ?? data?.[0]?.key;
  const others = (data ?? []).filter(({ key }) => key !== shown);
  return (
    <div className="m-gate">
      <header className="m-row">
        <Brand />
        <span className="m-grow" />
        <LanguageMenu />
        <ThemeMenu />
      </header>
      <main>
        <div className="m-panel m-panel-body m-stack m-help-open">
          <h1>{title}</h1>
          {error ? <CallFailed error={error} onRetry={retry} /> : null}
          {!data && !error ? <PageSkeleton /> : null}
          {data && shown !== undefined ? <Article key={shown} articleKey={shown} keys={data.map(({ key }) => key)} /> : null}
          {data && shown === undefined ? <Empty icon="help" title={t('help.empty')} /> : null}
          {others.length === 0 ? null : (
            <nav className="m-stack-tight" aria-label={t('help.open.more')}>
              <h2>{t('help.open.more')}</h2>
              <ul className="m-plain-list">
                {others.map(({ key, title: name }) => (
                  <li key={key}>
                    <Link to={`${PATH}/${key}`}>{words(name)}</Link>
                  </li>
                ))}
              </ul>
            </nav>
          )}
          <p>
            <Link to="/login">{t('help.open.back')}</Link>
          </p>
        </div>
      </main>
    </div>
  );
}

export const openHelpPage = { View: OpenHelp };
