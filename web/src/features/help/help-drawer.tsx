import { helpCalls } from '@mooring/contract/help/calls';
import { type ReactNode, useState } from 'react';
import { CallFailed } from '../../kit/dead-end.tsx';
import { Link } from '../../kit/link.tsx';
import { useCall } from '../../kit/queries.ts';
import { Button } from '../../ui/button.tsx';
import { TextInput } from '../../ui/controls.tsx';
import { BesideList, Drawer } from '../../ui/dialog.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { Empty, PageSkeleton } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { ArticleView } from './article-view.tsx';
import { Contents, Hits, type Way } from './contents.tsx';
import { useWords } from './words.ts';

type Shown =
  | { readonly of: 'screen' }
  | { readonly of: 'contents' }
  | { readonly of: 'article'; readonly key: string; readonly marked: string };

/** Help beside the page: what explains this screen, and all else by search and contents. It follows the screen until another article is chosen. */
export function HelpDrawer({ route, onClose }: { route: string; onClose: () => void }) {
  const t = useT();
  const [shown, setShown] = useState<Shown>({ of: 'screen' });
  const [text, setText] = useState('');
  const open = (key: string) => {
    setShown({ of: 'article', key, marked: text.trim() });
    setText('');
  };
  const way: Way = (key, words) => (
    <button type="button" className="m-plain m-link" onClick={() => open(key)}>
      {words}
    </button>
  );
  const isSearching = text.trim() !== '';
  const show = (of: 'screen' | 'contents') => {
    setText('');
    setShown({ of });
  };
  const choice = (of: 'screen' | 'contents', icon: IconName) => (
    <Button small icon={icon} pressed={!isSearching && shown.of === of} onClick={() => show(of)}>
      {t(`help.${of}`)}
    </Button>
  );
  return (
    <BesideList>
      <Drawer open title={t('help.title')} onClose={onClose} width={440}>
        <div className="m-stack">
          <TextInput
            label={t('help.search')}
            placeholder={t('help.search')}
            icon="search"
            value={text}
            onChange={(next) => setText(next.slice(0, 64))}
            clear
          />
          <div className="m-row m-row-wrap">
            {choice('screen', 'help')}
            {choice('contents', 'tasks')}
          </div>
          {isSearching ? (
            <Hits text={text} way={way} />
          ) : (
            <Body shown={shown} route={route} way={way} onContents={() => show('contents')} />
          )}
        </div>
      </Drawer>
    </BesideList>
  );
}

function Body({ shown, route, way, onContents }: { shown: Shown; route: string; way: Way; onContents: () => void }) {
  if (shown.of === 'contents') return <Contents way={way} />;
  if (shown.of === 'article') return <One key={shown.key} articleKey={shown.key} marked={shown.marked} way={way} />;
  return <OfScreen route={route} way={way} onContents={onContents} />;
}

function OfScreen({ route, way, onContents }: { route: string; way: Way; onContents: () => void }) {
  const t = useT();
  const words = useWords();
  const { data, error, retry } = useCall(helpCalls.context, { route });
  if (!data) return error ? <CallFailed part error={error} onRetry={retry} /> : <PageSkeleton />;
  const [first, ...others] = data;
  if (!first)
    return (
      <Empty icon="help" title={t('help.noArticle')}>
        <Button onClick={onContents}>{t('help.contents')}</Button>
      </Empty>
    );
  return (
    <div className="m-stack">
      {others.length === 0 ? null : (
        <ul className="m-plain-list">
          {others.map(({ key, title }) => (
            <li key={key}>{way(key, words(title))}</li>
          ))}
        </ul>
      )}
      <One key={first.key} articleKey={first.key} way={way} />
    </div>
  );
}

/** Links to other articles stay in the drawer; those to screens lead there. */
const inside = (way: Way) => (href: string, words: ReactNode) => {
  const key = /^\/help\/([a-z0-9-]+)$/.exec(href)?.[1];
  return key === undefined ? undefined : way(key, words);
};

function One({ articleKey, marked, way }: { articleKey: string; marked?: string; way: Way }) {
  const t = useT();
  return (
    <ArticleView
      articleKey={articleKey}
      marked={marked}
      link={inside(way)}
      head={(title) => (
        <div className="m-row m-row-wrap">
          <h3 className="m-grow">{title}</h3>
          <Link to={`/help/${articleKey}`} className="m-small">
            {t('help.full')}
          </Link>
        </div>
      )}
    />
  );
}
