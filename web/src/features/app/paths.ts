interface Row {
  readonly id: number;
}
export const appPath = ({ id }: Row): string => `/app/detail/${id}`;
export const versionPath = ({ id }: Row): string => `/app/version/${id}`;
export const editPath = ({ id }: Row): string => `/app/version/${id}/edit`;
