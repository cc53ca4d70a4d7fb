import { type HelpArticle, helpArticleCalls } from '@mooring/contract/help/article';
import { helpMachine } from '@mooring/contract/help/state-machines';
import type { RowOf } from '@mooring/contract/kit/entity';
import { useMemo, useState } from 'react';
import { detailPage } from '../../kit/detail/detail-page.tsx';
import { Link } from '../../kit/link.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import { type ListSpec, type RowOf as ReadRow, rowAction } from '../../kit/list/types.ts';
import { Markdown } from '../../kit/markdown/markdown.tsx';
import { mayCall } from '../../kit/session.ts';
import { StoredPicture } from '../../kit/stored-picture.tsx';
import { Button } from '../../ui/button.tsx';
import { Drawer } from '../../ui/dialog.tsx';
import { Note } from '../../ui/states.tsx';
import { useStore } from '../../ui/store.ts';
import { t as say, speech, type TextKey, useT } from '../../ui/words.ts';
import { NewerText } from './newer-text.tsx';
import { editPath } from './paths.ts';
import { useOtherLanguages } from './translations.tsx';
import { nameOf, useWords } from './words.ts';

type Row = RowOf<typeof HelpArticle>;
type Version = ReadRow<typeof helpArticleCalls.versions>;
type Texts = Pick<Row, 'title' | 'titleZh' | 'body' | 'bodyZh' | 'translations'>;

/** The reader's own language, where it is written in it. */
function writtenIn({ bodyZh, translations }: Texts, spoken: string): string {
  if (spoken.startsWith('zh') && bodyZh !== '') return 'zh';
  return translations.some((one) => one.lang === spoken) ? spoken : 'en';
}

/** A text in each of its languages, one at a time: at first in the reader's. */
function EachLanguage({ of, outdatedIn = [] }: { of: Texts; outdatedIn?: readonly string[] }) {
  const t = useT();
  const words = useWords();
  const { lang: spoken } = useStore(speech);
  const [chosen, setLang] = useState<string>();
  const lang = chosen ?? writtenIn(of, spoken);
  const others = useOtherLanguages(of.translations);
  const draw = (title: string, body: string) => (
    <div className="m-stack m-help-article" lang={lang} dir={lang === 'en' || lang === 'zh' ? 'ltr' : 'auto'}>
      <h2>{words(title)}</h2>
      <Markdown text={body} words={words} picture={(id) => <StoredPicture id={id} />} />
    </div>
  );
  const absent = (text: TextKey) => <p className="m-muted">{t(text)}</p>;
  const shown = () => {
    if (lang === 'en') return draw(of.title, of.body);
    if (lang === 'zh') return of.bodyZh === '' ? absent('helpArticle.noZh') : draw(of.titleZh || of.title, of.bodyZh);
    const own = of.translations.find((one) => one.lang === lang);
    return own ? draw(own.title, own.body) : absent('helpArticle.translation.none');
  };
  const choices = [{ code: 'en', name: t('helpArticle.lang.en') }, { code: 'zh', name: t('helpArticle.lang.zh') }, ...others];
  return (
    <div className="m-stack">
      <div className="m-row m-row-wrap">
        {choices.map(({ code, name }) => (
          <Button key={code} small pressed={lang === code} onClick={() => setLang(code)}>
            {name}
          </Button>
        ))}
      </div>
      {outdatedIn.includes(lang) ? <Note tone="warn">{t('helpArticle.translation.outdated')}</Note> : null}
      {shown()}
    </div>
  );
}

const Article = ({ row }: { row: Row }) => (
  <div className="m-panel m-panel-body">
    <EachLanguage of={row} outdatedIn={row.outdatedIn} />
  </div>
);

function OneVersion({ row, onClose }: { row: Version; onClose: () => void }) {
  const t = useT();
  return (
    <Drawer open title={`${t('helpArticle.version')} ${row.number}`} onClose={onClose} width={640}>
      <EachLanguage of={row} />
    </Drawer>
  );
}

function Versions({ row }: { row: Row }) {
  // Each restoring makes another revision, by which the next one goes.
  const { id, revision } = row;
  const spec = useMemo(
    (): ListSpec<typeof helpArticleCalls.versions> => ({
      code: 'help.versions',
      title: 'helpArticle.versions',
      call: helpArticleCalls.versions,
      export: helpArticleCalls.exportVersions,
      columns: [
        { key: 'number', title: 'helpArticle.versions.number', sort: true, width: 110 },
        { key: 'title', title: 'helpArticle.title', width: 260, cell: (one) => <Title text={one.title} /> },
        { key: 'publishedBy', title: 'helpArticle.versions.by', width: 180, cell: (one) => <By name={one.publishedBy} /> },
        { key: 'publishedAt', title: 'helpArticle.versions.at', kind: 'moment', width: 170 },
      ],
      rowActions: [
        rowAction(helpArticleCalls.restore, {
          label: 'helpArticle.restore',
          icon: 'back',
          input: (one: Version) => ({ id, revision, number: one.number }),
          successText: 'helpArticle.restored',
          confirm: { text: (one: Version) => say('helpArticle.restore.about', { version: one.number }) },
        }),
      ],
      nameOf: (one) => String(one.number),
      empty: { title: 'helpArticle.versions.empty', icon: 'clock' },
      slots: { aside: OneVersion },
    }),
    [id, revision],
  );
  return <ListView spec={spec} fixed={{ articleId: id }} queryPrefix="v." />;
}
const feedback: ListSpec<typeof helpArticleCalls.feedback> = {
  code: 'help.feedback',
  title: 'helpArticle.feedback',
  call: helpArticleCalls.feedback,
  export: helpArticleCalls.exportFeedback,
  columns: [
    { key: 'at', title: 'helpArticle.feedback.at', kind: 'moment', sort: true, width: 170 },
    { key: 'version', title: 'helpArticle.feedback.version', kind: 'number', width: 100 },
    { key: 'reason', title: 'helpArticle.feedback.reason', width: 480, cell: ({ reason }) => <div className="m-said">{reason}</div> },
  ],
  empty: { title: 'helpArticle.feedback.empty', text: 'helpArticle.feedback.emptyText', icon: 'help' },
};
/** What readers who weren't helped say is missing. */
const Feedback = ({ row }: { row: Row }) => <ListView spec={feedback} fixed={{ articleId: row.id }} queryPrefix="b." />;
const Title = ({ text }: { text: string }) => useWords()(text);
function By({ name }: { name: string }) {
  const t = useT();
  return name === '' ? <span className="m-muted">{t('helpArticle.product')}</span> : name;
}

/** What waits: changes to be published, a newer text of the product. */
function Waiting({ row }: { row: Row }) {
  const t = useT();
  return (
    <>
      {row.state === 'revised' ? <Note>{t('helpArticle.revised', { version: row.version })}</Note> : null}
      {row.newer ? <Note tone="warn">{t('helpArticle.newer.about')}</Note> : null}
    </>
  );
}
function Reader({ row }: { row: Row }) {
  const t = useT();
  if (row.state !== 'published' && row.state !== 'revised') return null;
  return <Link to={`/help/${row.key}`}>{t('helpArticle.read')}</Link>;
}
const Category = ({ name }: { name: string }) => useWords()(name);

export const helpArticlePage = detailPage({
  call: helpArticleCalls.detail,
  nameOf,
  state: { machine: helpMachine, of: (row) => row.state },
  facts: [
    { key: 'categoryName', title: 'helpArticle.categoryId', cell: (row) => <Category name={row.categoryName} /> },
    { key: 'key', title: 'helpArticle.key', kind: 'code' },
    { key: 'outdatedIn', title: 'helpArticle.outdatedIn', kind: 'tags', when: (row) => row.outdatedIn.length > 0 },
    { key: 'routes', title: 'helpArticle.routes', kind: 'tags', when: (row) => row.routes.length > 0 },
    { key: 'open', title: 'helpArticle.open', kind: 'yes', when: (row) => row.open },
    { key: 'version', title: 'helpArticle.version', kind: 'number' },
    { key: 'helpful', title: 'helpArticle.helpful', kind: 'number' },
    { key: 'unhelpful', title: 'helpArticle.unhelpful', kind: 'number' },
    { key: 'updatedAt', title: 'helpArticle.updatedAt', kind: 'moment' },
    { key: 'updatedBy', title: 'helpArticle.updatedBy', cell: (row) => <By name={row.updatedBy} /> },
  ],
  actions: [
    rowAction(helpArticleCalls.publish, {
      label: 'event.help.publish',
      icon: 'send',
      allowedAction: 'publish',
      successText: 'helpArticle.published',
    }),
    { key: 'edit', label: 'helpArticle.edit', icon: 'edit', allowedAction: 'update', to: editPath },
    rowAction(helpArticleCalls.takeNewer, {
      label: 'helpArticle.newer.take',
      icon: 'upgrade',
      allowedAction: 'takeNewer',
      successText: 'helpArticle.newer.taken',
      Dialog: NewerText,
    }),
    rowAction(helpArticleCalls.withdraw, {
      label: 'event.help.withdraw',
      danger: true,
      allowedAction: 'withdraw',
      successText: 'helpArticle.withdrawn',
      confirm: { text: 'helpArticle.withdraw.about', keep: 'helpArticle.withdraw.keep' },
    }),
  ],
  slots: { above: Waiting, acts: Reader },
  tabs: [
    { key: 'text', title: 'helpArticle.text', Body: Article },
    { key: 'versions', title: 'helpArticle.versions', Body: Versions },
    { key: 'feedback', title: 'helpArticle.feedback', when: () => mayCall(helpArticleCalls.feedback), Body: Feedback },
  ],
});
