import type { ListingText } from '@mooring/contract/app/schemas';
import { useState } from 'react';
import { Markdown } from '../../kit/markdown/markdown.tsx';
import { StoredPicture } from '../../kit/stored-picture.tsx';
import { Button } from '../../ui/button.tsx';
import { useStore } from '../../ui/store.ts';
import { speech, useT } from '../../ui/words.ts';
import { useLanguageName } from './languages.ts';
import type { Version } from './versions.tsx';
import './app.css';

export function Screenshots({ of }: { of: Pick<Version, 'screenshots'> }) {
  if (of.screenshots.length === 0) return null;
  return (
    <ul className="m-shots">
      {of.screenshots.map((id) => (
        <li key={id}>
          <StoredPicture id={id} className="m-shot" />
        </li>
      ))}
    </ul>
  );
}

export function Texts({ of }: { of: ListingText | undefined }) {
  const t = useT();
  if (!of) return <p className="m-muted">{t('appVersion.change.none')}</p>;
  return (
    <div className="m-stack">
      <div>
        <h2>{of.name}</h2>
        {of.summary === '' ? null : <p className="m-muted">{of.summary}</p>}
      </div>
      {of.description === '' ? null : <Markdown text={of.description} />}
      {of.whatsNew === '' ? null : (
        <section className="m-stack-tight">
          <h2>{t('appVersion.listing.whatsNew')}</h2>
          <Markdown text={of.whatsNew} />
        </section>
      )}
    </div>
  );
}

/** Which of the languages is shown; the reader's own first. */
export function useShownLanguage(languages: readonly string[]) {
  const name = useLanguageName();
  const { lang } = useStore(speech);
  const own = languages.find((tag) => tag === lang) ?? languages.find((tag) => tag.split('-')[0] === lang.split('-')[0]);
  const [chosen, setChosen] = useState<string>();
  const shown = chosen !== undefined && languages.includes(chosen) ? chosen : (own ?? languages[0] ?? '');
  const choice =
    languages.length < 2 ? null : (
      <div className="m-row m-row-wrap">
        {languages.map((tag) => (
          <Button key={tag} small pressed={tag === shown} onClick={() => setChosen(tag)}>
            {name(tag)}
          </Button>
        ))}
      </div>
    );
  return { shown, choice };
}

/** What the catalogue says of a version, in one language at a time. */
export function ListingView({ row }: { row: Version }) {
  const { shown, choice } = useShownLanguage(Object.keys(row.listing));
  return (
    <div className="m-panel m-panel-body m-stack">
      {choice}
      <Texts of={row.listing[shown]} />
      <Screenshots of={row} />
    </div>
  );
}
