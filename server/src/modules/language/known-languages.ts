/** The languages that the console knows (BCP 47). Their names are the runtime's own (CLDR). */
const codes =
  'en zh-CN ar de fr es pt it nl pl ru uk tr fa he ur hi bn ta te mr gu pa ml kn si th vi id ms fil km lo my ja ko zh-TW cs sk hu ro bg el sr hr sl da sv nb fi et lv lt ka hy az kk'.split(
    ' ',
  );
const rightToLeft = new Set(['ar', 'fa', 'he', 'ur']);
const englishNames = new Intl.DisplayNames(['en'], { type: 'language' });

export interface KnownLanguage {
  readonly code: string;
  readonly native: string;
  readonly english: string;
  readonly rightToLeft: boolean;
}

function native(code: string): string {
  if (code === 'zh-CN') return '简体中文';
  if (code === 'zh-TW') return '繁體中文';
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
}
const english = (code: string) =>
  code === 'zh-CN' ? 'Chinese (simplified)' : code === 'zh-TW' ? 'Chinese (traditional)' : (englishNames.of(code) ?? code);

export const knownLanguages: readonly KnownLanguage[] = codes.map((code) => ({
  code,
  native: native(code),
  english: english(code),
  rightToLeft: rightToLeft.has(code),
}));
export const knownLanguage = (code: string): KnownLanguage | undefined =>
  knownLanguages.find((one) => one.code.toLowerCase() === code.toLowerCase());
