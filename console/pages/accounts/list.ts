/** The caller's target account list. */
export const LIST = '/v2/clients/me/tal/companies'
