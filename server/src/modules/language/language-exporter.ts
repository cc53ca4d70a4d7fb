import { languageAdminCalls } from '@mooring/contract/language/label-calls';
import { languageMachine } from '@mooring/contract/language/state-machines';
import { rowExporter } from '../../platform/work/row-exporter.ts';
import { pageLanguages } from './languages.ts';

export const languageExporter = rowExporter(languageAdminCalls.page, languageAdminCalls.export, {
  title: 'language.tab.languages',
  page: pageLanguages,
  sort: 'langCode',
  columns: {
    nativeName: 'language.nativeName',
    englishName: 'language.englishName',
    langCode: 'language.langCode',
    publishStatus: ['language.publishStatus', languageMachine],
    coverage: 'language.coverage',
    rightToLeft: 'language.rightToLeft',
    edited: 'language.edited',
    updatedAt: 'language.updatedAt',
  },
});
