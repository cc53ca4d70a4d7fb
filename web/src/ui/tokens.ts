/** The look, said once: antd's theme and the custom properties of our own styles are both made from here. */
export type Scheme = 'light' | 'dark';
/** Whose variables and rules antd's are: one theme, without a version in their names. */
export const antdNames = { cssVar: { key: 'mooring' }, hashed: false } as const;
export type Density = 'comfortable' | 'compact';

const light = {
  bg: '#f4f6f8',
  surface: '#ffffff',
  raised: '#ffffff',
  sunken: '#eef1f4',
  hover: '#f0f4f6',
  line: '#dde3e9',
  edge: '#87929f',
  text: '#17212b',
  muted: '#526070',
  faint: '#5f6c7c',
  primary: '#0a6a74',
  primaryHover: '#08555d',
  onPrimary: '#ffffff',
  primarySoft: '#e2f1f2',
  primaryLine: '#9fcdd1',
  danger: '#b3261e',
  dangerSoft: '#fdeceb',
  warn: '#805000',
  warnSoft: '#fff4dc',
  info: '#1f5aa8',
  infoSoft: '#e8f1fc',
  good: '#01a2ff',
  goodEdge: '#00629c',
  bad: '#fe2d2d',
  badEdge: '#a80d0d',
  wait: '#f5b52e',
  waitEdge: '#7d5200',
  busy: '#a78bfa',
  busyEdge: '#5b37c4',
  idle: '#ffffff',
  idleEdge: '#647181',
  away: '#b9c6d3',
  awayEdge: '#5b6b7b',
  kept: '#e9eef3',
  keptEdge: '#7a8794',
  ended: '#9aa5b1',
  endedEdge: '#526070',
  shadow: '0 1px 2px rgb(16 32 48 / 6%), 0 6px 20px rgb(16 32 48 / 10%)',
};
export type Palette = Record<keyof typeof light, string>;
const dark: Palette = {
  bg: '#0d1216',
  surface: '#141b21',
  raised: '#1a232b',
  sunken: '#10161b',
  hover: '#1b252d',
  line: '#27323c',
  edge: '#6f7d8b',
  text: '#e6ecf1',
  muted: '#a9b5c0',
  faint: '#8f9ca9',
  primary: '#4fbcc6',
  primaryHover: '#74d0d8',
  onPrimary: '#04191c',
  primarySoft: '#11303a',
  primaryLine: '#2b6770',
  danger: '#ff8f87',
  dangerSoft: '#3a1a1a',
  warn: '#f0bd5a',
  warnSoft: '#33270f',
  info: '#86b8f5',
  infoSoft: '#15273d',
  good: '#01a2ff',
  goodEdge: '#8fd6ff',
  bad: '#fe2d2d',
  badEdge: '#ffa19b',
  wait: '#f5b52e',
  waitEdge: '#ffe2a3',
  busy: '#8b6cf0',
  busyEdge: '#cfc0ff',
  idle: '#141b21',
  idleEdge: '#8f9ca9',
  away: '#4a5866',
  awayEdge: '#9fb0c0',
  kept: '#26313b',
  keptEdge: '#8494a3',
  ended: '#5b6875',
  endedEdge: '#a9b5c0',
  shadow: '0 1px 2px rgb(0 0 0 / 40%), 0 8px 24px rgb(0 0 0 / 45%)',
};
export const palettes: Record<Scheme, Palette> = { light, dark };

/** Series of charts: told apart in both themes and by colour-blind eyes (after Okabe and Ito). */
export const series: Record<Scheme, readonly string[]> = {
  light: ['#0072b2', '#d55e00', '#009e73', '#a5568a', '#8a6d00', '#3d8fc4', '#5c6670'],
  dark: ['#56b4e9', '#e69f00', '#2fbf95', '#d995bd', '#f0e442', '#8cc8ee', '#b6c0ca'],
};

const type = { small: 12, body: 14, lead: 16, title: 20, figure: 28 } as const;
export const radius = 6;
/** Few: each family that isn't there costs the browser a search at every new text. */
export const fonts = {
  text: '-apple-system, "Segoe UI", "Noto Sans", "Noto Sans SC", "Noto Sans Arabic", sans-serif',
  mono: 'ui-monospace, Consolas, "DejaVu Sans Mono", monospace',
};
export const sizes: Record<Density, { control: number; row: number; body: number; pad: number }> = {
  comfortable: { control: 32, row: 44, body: type.body, pad: 16 },
  compact: { control: 28, row: 34, body: 13, pad: 12 },
};

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Custom properties of the root element. */
export function properties(scheme: Scheme, density: Density): Record<string, string> {
  const size = sizes[density];
  return {
    ...Object.fromEntries(Object.entries(palettes[scheme]).map(([name, value]) => [`--${kebab(name)}`, value])),
    ...Object.fromEntries(Object.entries(type).map(([name, value]) => [`--type-${name}`, `${value}px`])),
    '--type-body': `${size.body}px`,
    '--radius': `${radius}px`,
    '--control': `${size.control}px`,
    '--row': `${size.row}px`,
    '--pad': `${size.pad}px`,
    '--font': fonts.text,
    '--mono': fonts.mono,
  };
}
