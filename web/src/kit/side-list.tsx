import { type ReactNode, useEffect, useState } from 'react';
import { TextInput } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { useT } from '../ui/words.ts';
import { Link } from './link.tsx';
import './side-list.css';

export interface SideItem {
  readonly key: string;
  readonly label: string;
  readonly to: string;
  /** What else is searched: the words of the part that it opens. */
  readonly words?: readonly string[];
}
export interface SideGroup {
  readonly title: string;
  readonly items: readonly SideItem[];
}

const within = (item: SideItem, typed: string) => [item.label, ...(item.words ?? [])].some((text) => text.toLowerCase().includes(typed));

/** The many parts of a page as a list at its side, in groups, found by any word of theirs; on a narrow screen it opens above the part. */
export function SideList({
  label,
  groups,
  active,
  children,
}: {
  label: string;
  groups: readonly SideGroup[];
  active: string;
  children: ReactNode;
}) {
  const t = useT();
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another part was chosen
  useEffect(() => setOpen(false), [active]);
  const chosen = groups.flatMap((group) => group.items).find((item) => item.key === active);
  const typed = text.trim().toLowerCase();
  const found = groups
    .map((group) => ({ ...group, items: group.items.filter((item) => typed === '' || within(item, typed)) }))
    .filter((group) => group.items.length > 0);
  return (
    <div className="m-side">
      <nav aria-label={label} className="m-side-list" data-open={open}>
        <button type="button" className="m-side-toggle" aria-expanded={open} onClick={() => setOpen((now) => !now)}>
          {chosen?.label ?? label}
          <Icon name="down" />
        </button>
        <TextInput icon="search" clear label={t('kit.side.search')} placeholder={t('kit.side.search')} value={text} onChange={setText} />
        {found.map((group) => (
          <div key={group.title} className="m-side-group">
            <div className="m-small m-muted m-side-title">{group.title}</div>
            <ul>
              {group.items.map((item) => (
                <li key={item.key}>
                  <Link to={item.to} className="m-side-item" current={item.key === active}>
                    {item.label}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
        {found.length === 0 ? <p className="m-small m-muted">{t('palette.none', { text: text.trim() })}</p> : null}
      </nav>
      <div className="m-side-body">{children}</div>
    </div>
  );
}
