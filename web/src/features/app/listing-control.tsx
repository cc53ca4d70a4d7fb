import { LISTING_BASE, Listing, type ListingText } from '@mooring/contract/app/schemas';
import { useEffect, useEffectEvent, useState } from 'react';
import { problemsIn } from '../../kit/form/schema.ts';
import type { ControlPart } from '../../kit/form/types.ts';
import { MarkdownControl } from '../../kit/markdown/markdown-control.tsx';
import { Button } from '../../ui/button.tsx';
import { TextInput } from '../../ui/controls.tsx';
import { Field, Unlinked, useFieldLink } from '../../ui/field.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useT, wordsOf } from '../../ui/words.ts';
import { useLanguageName, useLanguageTags } from './languages.ts';

const empty: ListingText = { name: '', summary: '', description: '', whatsNew: '' };

interface One {
  readonly text: ListingText;
  readonly put: (next: ListingText) => void;
  readonly part: ControlPart<Listing | undefined>;
  readonly errorOf: (key: keyof ListingText) => string | undefined;
}
function Texts({ text, put, part, errorOf }: One) {
  const t = useT();
  const { onBlur, disabled, values, set, fill } = part;
  const line = (key: 'name' | 'summary', max: number) => (
    <Field label={t(`appVersion.listing.${key}`)} error={errorOf(key)} optional={key === 'summary'}>
      <TextInput value={text[key]} max={max} onBlur={onBlur} disabled={disabled} onChange={(next) => put({ ...text, [key]: next })} />
    </Field>
  );
  const area = (key: 'description' | 'whatsNew') => (
    <Field
      label={t(`appVersion.listing.${key}`)}
      error={errorOf(key)}
      optional
      {...(key === 'description' ? { help: t('appVersion.listing.description.help') } : {})}
    >
      <MarkdownControl
        value={text[key]}
        onChange={(next) => put({ ...text, [key]: next ?? '' })}
        onBlur={onBlur}
        disabled={disabled}
        values={values}
        set={set}
        fill={fill}
      />
    </Field>
  );
  return (
    <div className="m-stack">
      {line('name', 64)}
      {line('summary', 120)}
      {area('description')}
      {area('whatsNew')}
    </div>
  );
}

/** Texts in as many languages as there are; English is always one of them. */
export function ListingControl(part: ControlPart<Listing | undefined>) {
  const t = useT();
  const name = useLanguageName();
  const known = useLanguageTags();
  const listing = part.value ?? { [LISTING_BASE]: empty };
  const tags = Object.keys(listing);
  const [chosen, setChosen] = useState(LISTING_BASE);
  const { invalid = false } = useFieldLink();
  const problems = invalid ? problemsIn(Listing, listing) : {};
  const isWrong = (tag: string) => Object.keys(problems).some((path) => path.startsWith(`${tag}.`));
  // What is wrong may stand in another language than the one that is open.
  const openWrong = useEffectEvent(() => setChosen((now) => (isWrong(now) ? now : (tags.find(isWrong) ?? now))));
  useEffect(() => {
    if (invalid) openWrong();
  }, [invalid]);
  const active = tags.includes(chosen) ? chosen : (tags[0] ?? LISTING_BASE);
  const put = (tag: string, text: ListingText) => part.onChange({ ...listing, [tag]: text });
  const add = (tag: string) => {
    put(tag, { ...empty, name: listing[LISTING_BASE]?.name ?? '' });
    setChosen(tag);
  };
  const remove = (tag: string) => {
    part.onChange(Object.fromEntries(Object.entries(listing).filter(([one]) => one !== tag)));
    setChosen(LISTING_BASE);
  };
  const others = known.filter((tag) => !tags.includes(tag));
  const extra = (
    <div className="m-row">
      {active === LISTING_BASE || part.disabled ? null : (
        <Button small icon="delete" onClick={() => remove(active)}>
          {t('appVersion.listing.removeLanguage', { language: name(active) })}
        </Button>
      )}
      {others.length === 0 || part.disabled ? null : (
        <MenuButton align="end" items={others.map((tag) => ({ key: tag, label: name(tag), onClick: () => add(tag) }))}>
          <Button small icon="add">
            {t('appVersion.listing.addLanguage')}
          </Button>
        </MenuButton>
      )}
    </div>
  );
  return (
    <Unlinked>
      <Tabs
        active={active}
        onChange={setChosen}
        extra={extra}
        items={tags.map((tag) => ({
          key: tag,
          label: name(tag),
          children: (
            <Texts
              key={tag}
              text={listing[tag] ?? empty}
              put={(next) => put(tag, next)}
              part={part}
              errorOf={(key) => {
                const words = problems[`${tag}.${key}`];
                return words === undefined ? undefined : wordsOf(words);
              }}
            />
          ),
        }))}
      />
    </Unlinked>
  );
}
