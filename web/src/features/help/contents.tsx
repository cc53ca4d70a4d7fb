import { helpCalls } from '@mooring/contract/help/calls';
import { type ReactNode, useDeferredValue } from 'react';
import { CallFailed } from '../../kit/dead-end.tsx';
import { Marked } from '../../kit/markdown/markdown.tsx';
import { useCall } from '../../kit/queries.ts';
import { Empty, TableSkeleton } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { useWords } from './words.ts';
import './help.css';

/** Draws the way to an article. */
export type Way = (key: string, words: ReactNode) => ReactNode;

/** All articles by their categories, as a tree of headings. */
export function Contents({ way }: { way: Way }) {
  const t = useT();
  const words = useWords();
  const { data, error, retry } = useCall(helpCalls.tree, {});
  if (!data) return error ? <CallFailed part error={error} onRetry={retry} /> : <TableSkeleton rows={8} columns={1} />;
  const filled = (id: number): boolean =>
    data.some((one) => (one.id === id && one.articles.length > 0) || (one.parentId === id && filled(one.id)));
  const below = (parentId: number | null): ReactNode =>
    data
      .filter((one) => one.parentId === parentId && filled(one.id))
      .map((one) => (
        <li key={one.id} className="m-stack-tight">
          <span className="m-small m-muted">{words(one.name)}</span>
          <ul className="m-plain-list">
            {one.articles.map(({ key, title }) => (
              <li key={key}>{way(key, words(title))}</li>
            ))}
            {below(one.id)}
          </ul>
        </li>
      ));
  if (!data.some(({ articles }) => articles.length > 0)) return <Empty icon="help" title={t('help.empty')} />;
  return <ul className="m-plain-list m-stack">{below(null)}</ul>;
}

/** What is found, the words marked where they stand. */
export function Hits({ text, way }: { text: string; way: Way }) {
  const t = useT();
  const words = useWords();
  const wanted = useDeferredValue(text.trim());
  const { data, error, retry } = useCall(helpCalls.search, { text: wanted }, { keep: true, enabled: wanted !== '' });
  if (!data) return error ? <CallFailed part error={error} onRetry={retry} /> : <TableSkeleton rows={4} columns={1} />;
  return (
    <div className="m-stack">
      <p className="m-small m-muted" role="status">
        {data.found > data.hits.length
          ? t('help.results.first', { shown: data.hits.length, count: data.found })
          : t('help.results', { count: data.found })}
      </p>
      {data.hits.length === 0 ? (
        <Empty icon="search" title={t('help.none', { text: wanted })} text={t('help.noneText')} />
      ) : (
        <ul className="m-plain-list m-stack m-help-hits">
          {data.hits.map((hit) => (
            <li key={hit.key} className="m-stack-tight">
              <div className="m-row m-row-wrap">
                {way(hit.key, <Marked text={words(hit.title)} marked={wanted} />)}
                <span className="m-small m-muted">{words(hit.category)}</span>
              </div>
              <p className="m-small">
                <Marked text={hit.excerpt} marked={wanted} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
