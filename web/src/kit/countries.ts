import type { OutputOf } from '@mooring/contract/kit/call';
import { countryCalls } from '@mooring/contract/language/calls';
import { useEffect, useMemo, useState } from 'react';
import { useStore } from '../ui/store.ts';
import { speech } from '../ui/words.ts';
import { api } from './client.ts';

type Country = OutputOf<typeof countryCalls.countryMeta>[number];

const codes =
  'AD AE AF AG AI AL AM AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BR BS BT BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GT GU GW GY HK HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW';

/** Where the server doesn't tell in time: the codes, named by the browser. */
function staticCountries(): Country[] {
  const en = new Intl.DisplayNames(['en'], { type: 'region' });
  const zh = new Intl.DisplayNames(['zh-CN'], { type: 'region' });
  return codes.split(' ').map((code) => ({ code, name: en.of(code) ?? code, zh: zh.of(code) ?? code }));
}

/** In the order of their names in a language. The server names them in English and Chinese; every other language is the browser's. */
export function namedCountries(countries: readonly Country[], lang: string): { value: string; label: string }[] {
  const own = new Intl.DisplayNames([lang], { type: 'region', fallback: 'none' });
  const nameOf = ({ code, name, zh }: Country) => {
    if (lang.startsWith('zh')) return zh;
    return lang.startsWith('en') ? name : (own.of(code) ?? name);
  };
  const order = new Intl.Collator(lang);
  return countries.map((one) => ({ value: one.code, label: nameOf(one) })).sort((a, b) => order.compare(a.label, b.label));
}

const PATIENCE_MS = 5000;
let loaded: Promise<readonly Country[]> | undefined;

/** Specification, section 9: 5 s, then the static ones. */
export function loadCountries(): Promise<readonly Country[]> {
  loaded ??= api(countryCalls.countryMeta, {}, { hidden: true, signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => staticCountries());
  return loaded;
}

/** All of them in the person's language; none until they are here. */
export function useNamedCountries(): { value: string; label: string }[] {
  const { lang } = useStore(speech);
  const [countries, setCountries] = useState<readonly Country[]>([]);
  useEffect(() => void loadCountries().then(setCountries), []);
  return useMemo(() => namedCountries(countries, lang), [countries, lang]);
}
