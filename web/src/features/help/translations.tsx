import { type HelpNames, type HelpTranslation, helpArticleCalls } from '@mooring/contract/help/article';
import type { ComponentType } from 'react';
import type { z } from 'zod';
import type { ControlPart } from '../../kit/form/types.ts';
import { languages } from '../../kit/language.ts';
import { useCall } from '../../kit/queries.ts';
import { TextInput } from '../../ui/controls.tsx';
import { Field, Unlinked, useFieldLink } from '../../ui/field.tsx';
import { Note } from '../../ui/states.tsx';
import { useStore } from '../../ui/store.ts';
import { useT } from '../../ui/words.ts';
import { BodyControl } from './controls.tsx';
import './help.css';

type Translation = z.output<typeof HelpTranslation>;
type Names = z.output<typeof HelpNames>;

const own = new Set(['en', 'zh', 'zh-CN']);
/** Those of the console that an article has no fields of its own for, and those that it is written in all the same. */
export function useOtherLanguages(written: readonly { readonly lang: string }[] = []): { readonly code: string; readonly name: string }[] {
  const published = useStore(languages).filter(({ langCode }) => !own.has(langCode));
  const known = published.map(({ langCode, language }) => ({ code: langCode, name: language }));
  const others = written.filter(({ lang }) => !known.some(({ code }) => code === lang));
  return [...known, ...others.map(({ lang }) => ({ code: lang, name: lang }))];
}

/** One entry of a list by language; one that says nothing any more goes. */
function put<E extends { readonly lang: string }>(rows: readonly E[], next: E): E[] {
  const isEmpty = Object.entries(next).every(([key, value]) => key === 'lang' || value === '');
  if (isEmpty) return rows.filter(({ lang }) => lang !== next.lang);
  return rows.some(({ lang }) => lang === next.lang) ? rows.map((one) => (one.lang === next.lang ? next : one)) : [...rows, next];
}

/** Title and text in one of the languages. */
function Translated({ code, ...part }: { code: string } & ControlPart<readonly Translation[] | undefined>) {
  const t = useT();
  const isJudged = useFieldLink().invalid === true;
  const { value: rows = [], onChange, onBlur, disabled } = part;
  const id = Number(part.values.id);
  const { data } = useCall(helpArticleCalls.detail, { id }, { enabled: Number.isInteger(id) && id > 0 });
  const of = rows.find(({ lang }) => lang === code) ?? { lang: code, title: '', body: '' };
  const missing = (name: 'title' | 'body') =>
    isJudged && rows.includes(of) && of[name].trim() === '' ? { error: t('invalid.required') } : {};
  return (
    <Unlinked>
      <div className="m-stack m-help-translation" lang={code}>
        {data?.outdatedIn.includes(code) ? <Note tone="warn">{t('helpArticle.translation.outdated')}</Note> : null}
        <Field label={t('helpArticle.translation.title')} {...missing('title')}>
          <TextInput
            value={of.title}
            max={120}
            disabled={disabled}
            onChange={(title) => onChange(put(rows, { ...of, title }))}
            onBlur={onBlur}
          />
        </Field>
        <Field label={t('helpArticle.translation.body')} {...missing('body')}>
          <BodyControl {...part} value={of.body} onChange={(body) => onChange(put(rows, { ...of, body: body ?? '' }))} />
        </Field>
      </div>
    </Unlinked>
  );
}

type Control = ComponentType<ControlPart<readonly Translation[] | undefined>>;
/** A control for each language, made once: a new one would forget what is being typed. */
const made = new Map<string, Control>();
export function translationControl(code: string): Control {
  const known = made.get(code);
  if (known) return known;
  const control: Control = (part) => <Translated code={code} {...part} />;
  made.set(code, control);
  return control;
}

/** A category's name in each other language of the console. */
export function NamesControl({ value = [], onChange, onBlur, disabled }: ControlPart<Names | undefined>) {
  const others = useOtherLanguages(value);
  const t = useT();
  if (others.length === 0) return <p className="m-muted">{t('helpCategory.names.none')}</p>;
  return (
    <Unlinked>
      <div className="m-stack-tight">
        {others.map(({ code, name }) => (
          <Field key={code} label={name}>
            <TextInput
              value={value.find(({ lang }) => lang === code)?.name ?? ''}
              max={80}
              disabled={disabled}
              onChange={(next) => onChange(put(value, { lang: code, name: next }))}
              onBlur={onBlur}
            />
          </Field>
        ))}
      </div>
    </Unlinked>
  );
}
