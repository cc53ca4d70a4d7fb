import { useEffect, useState } from 'react';
import { Link } from '../../kit/link.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { useView } from '../../kit/view.ts';
import { nameView } from '../../kit/view-name.ts';
import { TextInput } from '../../ui/controls.tsx';
import { Empty } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { ArticleView } from './article-view.tsx';
import { Contents, Hits, type Way } from './contents.tsx';

function Named({ title, path }: { title: string; path: string }) {
  useEffect(() => nameView(path, title), [path, title]);
  return <h2>{title}</h2>;
}

/** The whole help: contents and search beside one article. */
function Help() {
  const t = useT();
  const { params, path } = useView();
  const [text, setText] = useState('');
  const [marked, setMarked] = useState('');
  const chosen = params.article;
  const way: Way = (key, words) => (
    <span onClickCapture={() => setMarked(text.trim())}>
      <Link to={`/help/${key}`} className="m-side-item" current={key === chosen}>
        {words}
      </Link>
    </span>
  );
  return (
    <div className="m-page">
      <PageHead title={t('help.title')} />
      <div className="m-tree-beside">
        <nav className="m-panel m-panel-body m-stack m-help-nav" aria-label={t('help.contents')}>
          <TextInput
            label={t('help.search')}
            placeholder={t('help.search')}
            icon="search"
            value={text}
            onChange={(next) => setText(next.slice(0, 64))}
            clear
          />
          {text.trim() === '' ? <Contents way={way} /> : <Hits text={text} way={way} />}
        </nav>
        <div className={chosen === undefined ? 'm-panel m-panel-body' : 'm-panel m-panel-body m-help-chosen'}>
          {chosen === undefined ? (
            <Empty icon="help" title={t('help.title')} text={t('help.start')} />
          ) : (
            <ArticleView key={chosen} articleKey={chosen} marked={marked} head={(title) => <Named title={title} path={path} />} />
          )}
        </div>
      </div>
    </div>
  );
}

export const helpPage = { View: Help };
