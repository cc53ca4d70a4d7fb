import { IconButton } from '../ui/button.tsx';
import { look, setLook, type Theme } from '../ui/look.ts';
import { MenuButton, type MenuItem } from '../ui/menu-button.tsx';
import { useStore } from '../ui/store.ts';
import { toast } from '../ui/toast.tsx';
import { speech, type T, useT } from '../ui/words.ts';
import { messageOf } from './client.ts';
import { chooseLanguage, type Language, languages } from './language.ts';

const themes: readonly Theme[] = ['light', 'dark', 'system'];

export const languageItems = (known: readonly Language[], lang: string): MenuItem[] =>
  known.map((one, at) => ({
    key: one.langCode,
    label: one.language,
    checked: one.langCode === lang,
    apart: at === 0,
    onClick: () => void chooseLanguage(one.langCode).catch((error: unknown) => toast('error', messageOf(error))),
  }));

export function LanguageMenu() {
  const t = useT();
  const { lang } = useStore(speech);
  const [first, ...rest] = languageItems(useStore(languages), lang);
  return (
    <MenuButton align="end" items={first ? [{ ...first, apart: false }, ...rest] : []}>
      <IconButton icon="language" label={t('shell.language')} />
    </MenuButton>
  );
}

export function lookItems(t: T, now: ReturnType<typeof look.get>): MenuItem[] {
  return [
    ...themes.map(
      (theme): MenuItem => ({
        key: theme,
        label: t(`shell.theme.${theme}`),
        checked: now.theme === theme,
        onClick: () => setLook({ theme }),
      }),
    ),
    ...(['comfortable', 'compact'] as const).map(
      (density, at): MenuItem => ({
        key: density,
        label: t(`shell.density.${density}`),
        checked: now.density === density,
        apart: at === 0,
        onClick: () => setLook({ density }),
      }),
    ),
  ];
}

export function ThemeMenu() {
  const t = useT();
  const now = useStore(look);
  return (
    <MenuButton align="end" items={lookItems(t, now)}>
      <IconButton icon={now.theme === 'dark' ? 'moon' : 'sun'} label={t('shell.look')} />
    </MenuButton>
  );
}
