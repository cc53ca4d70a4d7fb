import type { NavNode } from '@mooring/contract/access/calls';
import { type KeyboardEvent, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { chooseLanguage, languages } from '../kit/language.ts';
import { addressOf } from '../kit/list/page-actions.tsx';
import type { PageAction } from '../kit/list/types.ts';
import { arrange, best, type PaletteGroup, type PaletteItem, type PaletteSource } from '../kit/palette.ts';
import { mayCall, useSession } from '../kit/session.ts';
import { go } from '../kit/view.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon, isIcon } from '../ui/icon.tsx';
import { look, setLook } from '../ui/look.ts';
import { ToneMark } from '../ui/status-tag.tsx';
import { useStore } from '../ui/store.ts';
import { useLooseT, useT, wordsOf } from '../ui/words.ts';
import { signOut } from './entry.ts';
import { pageOf } from './kept-pages.tsx';
import { matchRoute } from './match.ts';
import { pagesOf } from './menu.ts';
import { visits } from './recent.ts';
import { entrances, routes } from './routes.ts';

function useOwnItems(nav: readonly NavNode[]): { pages: PaletteItem[]; recent: PaletteItem[]; actions: PaletteItem[] } {
  const t = useT();
  const loose = useLooseT();
  const { platform, user } = useSession();
  const seen = useStore(visits);
  const known = useStore(languages);
  const { theme } = useStore(look);
  const pages = pagesOf(nav).map(
    (node): PaletteItem => ({
      key: `page-${node.id}`,
      label: loose(`menu.${node.code}`, node.name),
      note: node.url ?? '',
      icon: isIcon(node.icon) ? node.icon : 'file',
      to: node.url ?? '/',
    }),
  );
  const recent = seen
    .filter((one) => one.platform === platform)
    .map(
      (one): PaletteItem => ({
        key: `seen-${one.to}`,
        label: one.name ?? loose(one.title, one.title),
        note: one.name ? loose(one.title, one.title) : one.to,
        icon: 'clock',
        to: one.to,
      }),
    );
  const other = user?.platforms.find((one) => one !== platform);
  const actions: PaletteItem[] = [
    ...(theme === 'dark'
      ? []
      : [
          {
            key: 'dark',
            label: `${t('shell.theme')}: ${t('shell.theme.dark')}`,
            icon: 'moon' as const,
            run: () => setLook({ theme: 'dark' }),
          },
        ]),
    ...(theme === 'light'
      ? []
      : [
          {
            key: 'light',
            label: `${t('shell.theme')}: ${t('shell.theme.light')}`,
            icon: 'sun' as const,
            run: () => setLook({ theme: 'light' }),
          },
        ]),
    ...known.map(
      (one): PaletteItem => ({
        key: `lang-${one.langCode}`,
        label: `${t('shell.language')}: ${one.language}`,
        icon: 'language',
        run: () => void chooseLanguage(one.langCode).catch(() => {}),
      }),
    ),
    ...(other
      ? [
          {
            key: 'cross',
            label: t('shell.cross', { platform: t(`platform.${other}`) }),
            icon: 'swap' as const,
            to: entrances[other],
          },
        ]
      : []),
    { key: 'out', label: t('shell.signOut'), icon: 'signOut', run: () => void signOut().then(() => go('/login')) },
  ];
  return { pages, recent, actions };
}

/** What the pages of the menu offer at their head. Their code is fetched with the first letter that is typed. */
function usePageActs(nav: readonly NavNode[], wanted: boolean): readonly PaletteItem[] {
  const loose = useLooseT();
  const session = useSession();
  const [found, setFound] = useState<readonly (readonly [NavNode, readonly PageAction[]])[]>([]);
  useEffect(() => {
    if (!wanted) return;
    let open = true;
    const offers = pagesOf(nav).map(async (node) => {
      const match = matchRoute(routes, node.url ?? '', session.platform);
      return [node, match ? ((await pageOf(match.route)).actions ?? []) : []] as const;
    });
    void Promise.allSettled(offers).then((all) => open && setFound(all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))));
    return () => {
      open = false;
    };
  }, [nav, wanted, session.platform]);
  return found.flatMap(([node, acts]) =>
    acts.flatMap((act): PaletteItem[] => {
      const to = addressOf(node.url ?? '/', act);
      if (!to || !mayCall(act.call, session)) return [];
      const note = loose(`menu.${node.code}`, node.name);
      return [{ key: `act-${node.id}-${act.key}`, label: loose(act.label, act.label), note, icon: act.icon ?? 'add', to }];
    }),
  );
}

/** No call searches for a longer text. */
const LONGEST = 64;
interface Found {
  readonly items: Readonly<Record<string, readonly PaletteItem[]>>;
  /** Domains that haven't answered yet. */
  readonly asked: number;
  readonly failed: boolean;
}
const nothing: Found = { items: {}, asked: 0, failed: false };

/** They come with the palette, not with the first page; where they can't be loaded there is one that says so. */
const unreached: PaletteSource = { title: 'palette.failed', find: () => Promise.reject(new Error('not loaded')) };
function useSources(): readonly PaletteSource[] | undefined {
  const [sources, setSources] = useState<readonly PaletteSource[]>();
  useEffect(() => {
    let open = true;
    void import('./palette-sources.ts').then(
      ({ paletteSources }) => open && setSources(paletteSources),
      () => open && setSources([unreached]),
    );
    return () => {
      open = false;
    };
  }, []);
  return sources;
}

/** What the domains find for the typed text, each as soon as it answers. */
function useFound(typed: string): Omit<Found, 'items'> & { readonly groups: readonly PaletteGroup[] } {
  const session = useSession();
  const all = useSources();
  const [found, setFound] = useState(nothing);
  useEffect(() => {
    const text = typed.trim().slice(0, LONGEST);
    if (text.length >= 2 && !all) return setFound({ ...nothing, asked: 1 });
    const sources = text.length < 2 ? [] : (all ?? []).filter((one) => mayCall(one.call, session));
    setFound({ ...nothing, asked: sources.length });
    if (sources.length === 0) return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      const answer = (change: (now: Found) => Partial<Found>) =>
        stop.signal.aborted || setFound((now) => ({ ...now, ...change(now), asked: now.asked - 1 }));
      for (const source of sources)
        source.find(text, stop.signal).then(
          (items) => answer((now) => ({ items: { ...now.items, [source.title]: items } })),
          () => answer(() => ({ failed: true })),
        );
    }, 150);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [typed, session, all]);
  const groups = (all ?? []).flatMap(({ title }) =>
    found.items[title]?.length ? [{ title: wordsOf(title), items: found.items[title] ?? [] }] : [],
  );
  return { ...found, groups };
}

export function Palette({ nav, onClose }: { nav: readonly NavNode[]; onClose: () => void }) {
  const t = useT();
  const [typed, setTyped] = useState('');
  // By its key: what is found later may stand above it.
  const [chosen, setChosen] = useState<string>();
  const { pages, recent, actions } = useOwnItems(nav);
  const acts = usePageActs(nav, typed.trim() !== '');
  const { groups: found, asked, failed } = useFound(useDeferredValue(typed));
  const none = asked > 0 ? 'palette.searching' : failed ? 'palette.failed' : 'palette.none';
  const groups = useMemo(() => {
    const isTyped = typed.trim() !== '';
    const own = [
      ...(isTyped ? [] : [{ title: t('palette.recent'), items: recent.slice(0, 6) }]),
      { title: t('palette.pages'), items: best(pages, typed, isTyped ? 8 : 20) },
      ...(isTyped
        ? [
            // Nobody looks for the page that they are on.
            {
              title: t('palette.recent'),
              items: best(
                recent.filter(({ to }) => to !== location.pathname + location.search),
                typed,
                4,
              ),
            },
            { title: t('palette.actions'), items: best([...acts, ...actions], typed, 8) },
          ]
        : []),
    ];
    return isTyped ? arrange(own, found, typed) : own.filter(({ items }) => items.length > 0);
  }, [typed, found, pages, recent, acts, actions, t]);
  const flat = groups.flatMap((group) => group.items);
  const at = Math.max(
    0,
    flat.findIndex(({ key }) => key === chosen),
  );
  const current = flat[at];
  const pick = (item: PaletteItem | undefined) => {
    if (!item) return;
    onClose();
    if (item.to) go(item.to);
    else item.run?.();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setChosen(flat[(at + step + flat.length) % Math.max(1, flat.length)]?.key);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      pick(current);
    }
  };
  useEffect(() => {
    if (current) document.getElementById(`palette-${current.key}`)?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  return (
    <Dialog open bare title={t('palette.title')} onClose={onClose} width={600}>
      <div className="m-palette">
        <label className="m-palette-box">
          <Icon name="search" />
          <input
            autoFocus
            onKeyDown={onKeyDown}
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value);
              setChosen(undefined);
            }}
            placeholder={t('palette.hint')}
            role="combobox"
            aria-expanded="true"
            aria-controls="palette-list"
            aria-label={t('palette.hint')}
            aria-activedescendant={current ? `palette-${current.key}` : undefined}
            autoComplete="off"
            spellCheck={false}
          />
        </label>
        <div id="palette-list" role="listbox" aria-label={t('palette.title')} className="m-palette-list">
          {groups.map((group) => (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset is no group of a listbox
            <div key={group.title} role="group" aria-label={group.title}>
              <div className="m-palette-title" aria-hidden="true">
                {group.title}
              </div>
              {group.items.map((item) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are heard by the box above, which keeps the focus
                <div
                  key={item.key}
                  id={`palette-${item.key}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={item === current}
                  className="m-palette-item"
                  onClick={() => pick(item)}
                  onPointerMove={() => item !== current && setChosen(item.key)}
                >
                  <Icon name={item.icon ?? 'file'} />
                  <span className="m-clip">{item.label}</span>
                  {item.tone ? <ToneMark tone={item.tone} /> : null}
                  {item.note ? <span className="m-small m-faint m-clip">{item.note}</span> : null}
                </div>
              ))}
            </div>
          ))}
          {flat.length === 0 ? <p className="m-palette-none m-muted">{t(none, { text: typed })}</p> : null}
        </div>
      </div>
    </Dialog>
  );
}
