import { Fault } from '@mooring/contract/kit/fault';
import { countryCalls, languageCalls } from '@mooring/contract/language/calls';
import { textTables } from '@mooring/contract/texts';
import { handlers, type Module } from '../../platform/module.ts';
import { countries } from './countries.ts';

const published = [
  { language: 'English', langCode: 'en', publishStatus: '1', column: 0 as const },
  { language: '简体中文', langCode: 'zh-CN', publishStatus: '1', column: 1 as const },
];

export const language: Module = {
  name: 'language',
  routes: [
    ...handlers(languageCalls, {
      supports: async () => published.map(({ column: _column, ...shown }) => shown),
      findByCriteria: async (_ctx, input) => {
        const found = published.find((one) => one.langCode.toLowerCase() === input.langCode.toLowerCase());
        if (!found) throw new Fault('LANGUAGE_UNKNOWN');
        return Object.entries(textTables).map(([dataType, table]) => ({
          dataType,
          content: Object.fromEntries(Object.entries<readonly [string, string]>(table).map(([key, both]) => [key, both[found.column]])),
        }));
      },
    }),
    ...handlers(countryCalls, { countryMeta: async () => countries, countries: async () => countries }),
  ],
};
