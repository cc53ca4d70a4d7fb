import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countryCalls, languageCalls } from '@mooring/contract/language/calls';
import { labelCalls, languageAdminCalls } from '@mooring/contract/language/label-calls';
import type { AppContext } from '../../platform/app-context.ts';
import { openStore } from '../../platform/files/open-store.ts';
import { handlers, type Module } from '../../platform/module.ts';
import { bring, broughtIn, dataTypeOf } from '../../platform/texts/texts.ts';
import { startExport } from '../../platform/work/exporter.ts';
import { countries } from './countries.ts';
import { startFollowing } from './follow-texts.ts';
import { editLabel, pageLabels, resetLabel } from './labels.ts';
import { languageExporter } from './language-exporter.ts';
import { moveLanguage, pageLanguages, seedLanguages } from './languages.ts';
import { exportPack, importPack } from './packs.ts';
import { servedTexts, supportedLanguages } from './serve-texts.ts';

const packs = join(import.meta.dirname, 'packs');

let brought: readonly string[] | undefined;
/** Language packs of the product: one JSON file each, key → text. They are read once in a process. */
function bringPacks(): readonly string[] {
  brought ??= readdirSync(packs)
    .filter((name) => name.endsWith('.json'))
    .map((name) => {
      const lang = name.slice(0, -'.json'.length);
      bring(lang, JSON.parse(readFileSync(join(packs, name), 'utf8')) as Record<string, string>);
      return lang;
    })
    .filter((lang) => broughtIn(lang).size > 0);
  return brought;
}

export function makeLanguage(app: AppContext): Module {
  const store = openStore(app.config, app.counts);
  return {
    name: 'language',
    exporters: [languageExporter],
    seed: seedLanguages(['en', 'zh-CN', ...bringPacks()]),
    services: (['http', 'worker'] as const).map((of) => ({ of, name: 'language:follow', start: startFollowing })),
    routes: [
      ...handlers(languageCalls, {
        supports: (ctx) => supportedLanguages(ctx.db),
        findByCriteria: (ctx, { langCode }) => servedTexts(ctx.db, langCode),
      }),
      ...handlers(languageAdminCalls, {
        page: pageLanguages,
        export: (ctx, input) => startExport(ctx, languageExporter, input),
        publish: moveLanguage('publish'),
        unpublish: moveLanguage('unpublish'),
      }),
      ...handlers(labelCalls, {
        page: pageLabels,
        edit: editLabel,
        reset: resetLabel,
        export: exportPack,
        import: importPack(store),
        dataTypes: async () => [...new Set(dataTypeOf.values())],
      }),
      ...handlers(countryCalls, { countryMeta: async () => countries, countries: async () => countries }),
    ],
  };
}
