import { AppError } from '../../src/lib/errors.ts'
import { isMaskedContact } from '../../src/personal-data/contact-masking.ts'

/** Throws `configuration` if a value is a masked address or phone number, because the warehouse would store the mask. */
export function refuseMasked(values: readonly unknown[]): void {
  if (values.some(isMaskedContact))
    throw new AppError(
      'configuration',
      'The key in TALHOUSE_SERVICE_API_KEY lacks the scope `contacts`. Use a key with this scope.',
    )
}
