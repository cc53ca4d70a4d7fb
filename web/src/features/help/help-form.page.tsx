import { HelpArticle, HelpTranslation, helpArticleCalls } from '@mooring/contract/help/article';
import { useState } from 'react';
import { bindPage } from '../../kit/bind-page.ts';
import { type FilledProps, NewOrEdited } from '../../kit/form/editing.tsx';
import { FieldGrid } from '../../kit/form/field-grid.tsx';
import { FormFrame } from '../../kit/form/form-frame.tsx';
import { useSubmit } from '../../kit/form/form-view.tsx';
import { useForm } from '../../kit/form/use-form.ts';
import { PageHead } from '../../kit/page-head.tsx';
import { fieldsOf, valuesOf } from '../../kit/resource/entity-field.ts';
import { go, goOn, useView } from '../../kit/view.ts';
import { Button } from '../../ui/button.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { toast } from '../../ui/toast.tsx';
import { useT } from '../../ui/words.ts';
import { useCategories } from './categories.tsx';
import { BodyControl, FilesControl } from './controls.tsx';
import { articlePath, CONSOLE } from './paths.ts';
import { translationControl, useOtherLanguages } from './translations.tsx';

const english = fieldsOf(HelpArticle, [
  { name: 'title', wide: true },
  { name: 'body', Control: BodyControl, wide: true },
]);
const chinese = fieldsOf(HelpArticle, [
  { name: 'titleZh', wide: true },
  { name: 'bodyZh', Control: BodyControl, wide: true },
]);
const place = fieldsOf(HelpArticle, ['key', { name: 'categoryId', kind: 'one', useChoices: useCategories }, 'position', 'routes', 'open']);
const files = fieldsOf(HelpArticle, [{ name: 'files', Control: FilesControl, wide: true }]);
const translationIn = (code: string) => fieldsOf(HelpArticle, [{ name: 'translations', Control: translationControl(code), wide: true }]);
const fields = [...place, ...english, ...chinese, ...translationIn(''), ...files];

/** Each language a tab, with how it will look. */
function ArticleForm({ initial, id, note }: FilledProps) {
  const t = useT();
  const view = useView();
  const isNew = id === undefined;
  const [lang, setLang] = useState('en');
  const [start] = useState(() => (isNew ? initial : { ...initial, id }));
  const call = isNew ? helpArticleCalls.add : helpArticleCalls.update;
  const form = useForm({ schema: call.input, initial: start, fields, guard: true });
  const title = t(isNew ? 'helpArticle.add' : 'helpArticle.edit');
  const { submit, busy, failure } = useSubmit(form, call, {
    input: form.ofShape,
    done: (output) => {
      const row = output as { readonly id: number };
      toast('done', t(isNew ? 'done.added' : 'done.saved', { name: String(form.values.title ?? '') }));
      goOn(view, articlePath(row), { replace: true });
    },
  });
  const translations = HelpTranslation.array().catch([]).parse(form.values.translations);
  const others = useOtherLanguages(translations);
  const unfinished = translations.find((one) => one.title.trim() === '' || one.body.trim() === '') ?? translations[0];
  const pick = (name: string) => {
    if (name === 'translations') setLang(unfinished?.lang ?? 'en');
    else setLang(chinese.some((field) => field.name === name) ? 'zh' : 'en');
  };
  return (
    <div className="m-page">
      <PageHead focused title={title} />
      {note}
      <FormFrame
        form={form}
        onSubmit={() => void submit()}
        problems={form.tried > 0 ? form.problems() : []}
        message={failure}
        onPick={pick}
      >
        <section className="m-panel m-panel-body">
          <Tabs
            active={lang}
            onChange={setLang}
            items={[
              { key: 'en', label: t('helpArticle.lang.en'), children: <FieldGrid form={form} fields={english} /> },
              { key: 'zh', label: t('helpArticle.lang.zh'), children: <FieldGrid form={form} fields={chinese} /> },
              ...others.map(({ code, name }) => ({
                key: code,
                label: name,
                children: lang === code ? <FieldGrid form={form} fields={translationIn(code)} /> : null,
              })),
            ]}
          />
        </section>
        <section className="m-panel m-panel-body">
          <FieldGrid form={form} fields={place.map((field) => (field.name === 'key' && !isNew ? { ...field, fixed: true } : field))} />
        </section>
        <section className="m-panel m-panel-body">
          <FieldGrid form={form} fields={files} />
        </section>
        <div className="m-form-foot">
          <Button onClick={() => go(isNew ? CONSOLE : articlePath({ id }))} disabled={busy}>
            {t('kit.cancel')}
          </Button>
          <Button look="primary" submit busy={busy}>
            {isNew ? title : t('kit.edit.save')}
          </Button>
        </div>
      </FormFrame>
    </div>
  );
}

export const helpForm = bindPage(NewOrEdited, {
  call: helpArticleCalls.add,
  edit: {
    title: 'helpArticle.edit' as const,
    load: helpArticleCalls.detail,
    call: helpArticleCalls.update,
    allowedAction: 'update',
    values: (row: unknown) => valuesOf(HelpArticle, row as Record<string, unknown>) as never,
  } as never,
  initial: { position: 100 },
  cancel: CONSOLE,
  draw: (props: FilledProps) => <ArticleForm {...props} />,
});
