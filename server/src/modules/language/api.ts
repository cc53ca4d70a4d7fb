export { isCountry } from './countries.ts';
export { followTexts } from './follow-texts.ts';
export { knownLanguages } from './known-languages.ts';
