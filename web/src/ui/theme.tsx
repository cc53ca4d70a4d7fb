import { StyleProvider } from '@ant-design/cssinjs';
import { isRightToLeft } from '@mooring/contract/shared/format';
import { theme as antdTheme, ConfigProvider } from 'antd';
import type { Locale } from 'antd/es/locale';
import enUS from 'antd/locale/en_US';
import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react';
import { look } from './look.ts';
import { useMedia } from './media.ts';
import { useStore } from './store.ts';
import { antdNames, type Density, fonts, palettes, properties, radius, type Scheme, sizes } from './tokens.ts';
import { speech } from './words.ts';
import './base.css';
import './antd/component-styles.css';

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

/** The bundler hands out what the older kind of module exports as a default inside of a default. */
function inside({ default: found }: { default: Locale | { default: Locale } }): Locale {
  return 'default' in found ? found.default : found;
}

/** Its Arabic has no short names of days, and takes the names of months from a date library that would bring its own digits. */
function withNarrowDays(found: Locale): Locale {
  const { DatePicker: picker } = found;
  if (!picker) return found;
  const { monthFormat: _, ...lang } = picker.lang;
  return { ...found, DatePicker: { ...picker, lang: { ...lang, shortWeekDays: ['ح', 'ن', 'ث', 'ر', 'خ', 'ج', 'س'] } } };
}

/** The component library's own words (calendar, pickers), fetched with the language. */
const locales: Record<string, () => Promise<Locale>> = {
  zh: () => import('antd/locale/zh_CN').then(inside),
  ar: () => import('antd/locale/ar_EG').then((found) => withNarrowDays(inside(found))),
};

export function useScheme(): Scheme {
  const chosen = useStore(look).theme;
  const dark = useMedia('(prefers-color-scheme: dark)');
  return chosen === 'system' ? (dark ? 'dark' : 'light') : chosen;
}

function themeOf(scheme: Scheme, density: Density) {
  const palette = palettes[scheme];
  const size = sizes[density];
  return {
    ...antdNames,
    zeroRuntime: true,
    algorithm: scheme === 'dark' ? antdTheme.darkAlgorithm : antdTheme.defaultAlgorithm,
    token: {
      colorPrimary: palette.primary,
      colorPrimaryHover: palette.primaryHover,
      colorPrimaryActive: palette.primaryHover,
      colorLink: palette.primary,
      colorLinkHover: palette.primaryHover,
      colorError: palette.danger,
      colorErrorHover: palette.danger,
      colorWarning: palette.warn,
      colorInfo: palette.info,
      colorSuccess: palette.primary,
      colorBgLayout: palette.bg,
      colorBgContainer: palette.surface,
      colorBgElevated: palette.raised,
      colorBorder: palette.edge,
      colorBorderSecondary: palette.line,
      colorSplit: palette.line,
      colorText: palette.text,
      colorTextSecondary: palette.muted,
      colorTextTertiary: palette.faint,
      colorTextPlaceholder: palette.faint,
      colorTextDescription: palette.muted,
      colorTextLightSolid: palette.onPrimary,
      colorPrimaryBg: palette.primarySoft,
      controlItemBgActive: palette.primarySoft,
      controlItemBgHover: palette.hover,
      fontFamily: fonts.text,
      fontFamilyCode: fonts.mono,
      fontSize: size.body,
      borderRadius: radius,
      borderRadiusLG: radius,
      borderRadiusSM: radius,
      controlHeight: size.control,
      boxShadow: palette.shadow,
      boxShadowSecondary: palette.shadow,
      boxShadowTertiary: palette.shadow,
      motionDurationFast: '0.08s',
      motionDurationMid: '0.12s',
      motionDurationSlow: '0.16s',
    },
    components: {
      Button: {
        primaryShadow: 'none',
        defaultShadow: 'none',
        dangerShadow: 'none',
        fontWeight: 500,
        primaryColor: palette.onPrimary,
        dangerColor: scheme === 'dark' ? '#2b0503' : '#ffffff',
      },
      Tabs: { titleFontSize: size.body, horizontalMargin: '0 0 16px 0' },
      Tooltip: { colorBgSpotlight: scheme === 'dark' ? '#33404c' : '#22303d', colorTextLightSolid: '#ffffff' },
      Select: { optionSelectedBg: palette.primarySoft },
    },
  };
}

/** Everything below looks and reads as the person chose. */
export function ThemeRoot({ children }: { children: ReactNode }) {
  const { density } = useStore(look);
  const { lang } = useStore(speech);
  const scheme = useScheme();
  const calm = useMedia('(prefers-reduced-motion: reduce)');
  const [locale, setLocale] = useState<Locale>(enUS);
  const direction = isRightToLeft(lang) ? 'rtl' : 'ltr';

  useLayoutEffect(() => {
    const root = document.documentElement;
    for (const [name, value] of Object.entries(properties(scheme, density))) root.style.setProperty(name, value);
    root.style.colorScheme = scheme;
    root.dataset.scheme = scheme;
    root.dataset.density = density;
  }, [scheme, density]);

  useLayoutEffect(() => {
    document.documentElement.lang = lang;
    document.documentElement.dir = direction;
  }, [lang, direction]);

  useEffect(() => {
    let current = true;
    const load = locales[lang.split('-')[0] ?? ''];
    if (load) void load().then((found) => current && setLocale(found));
    else setLocale(enUS);
    return () => {
      current = false;
    };
  }, [lang]);

  const made = themeOf(scheme, density);
  return (
    <StyleProvider layer>
      <ConfigProvider
        {...(nonce ? { csp: { nonce } } : {})}
        theme={{ ...made, token: { ...made.token, motion: !calm } }}
        locale={locale}
        direction={direction}
        wave={{ disabled: true }}
      >
        {children}
      </ConfigProvider>
    </StyleProvider>
  );
}
