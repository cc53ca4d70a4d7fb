export const MASTER_KEY = 'a master key of the campaign alone';
