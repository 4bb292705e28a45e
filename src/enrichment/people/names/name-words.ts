const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean))

/** Forms of address, lower case and without dots. Several may stand together (`Prof. Dr. med.`). */
export const HONORIFICS = words(`
  mr mrs ms miss mx dr doctor prof professor sir dame lord lady rev reverend fr father hon honorable honourable rabbi imam
  capt captain col colonel gen general lt maj major sgt cmdr adm amb ambassador sen senator gov governor
  herr frau fräulein dipl-ing dipl-kfm dipl-kffr dipl-oec dipl-phys dipl-vw dipl-wirt-ing ing mag magister lic priv-doz pd med iur phil nat rer oec habil
  m mme mlle me maître monsieur madame sr sra srta señor señora don doña dña lcdo lcda arq dott dottssa dottore avv avvocato rag geom sig sigra
  dhr mevr mw drs ir hr fru shri smt sri
  atty attorney engr eng arch archt adv er barr pastor bishop elder deacon apostle cllr councillor chief alhaji alhaja alh hajia haji sheikh datuk dato' dato’ dato datin sri seri tun puan encik`)

/** Given names that are written short: `Ma. Teresa`, `Md. Alam`, `Wm. Doe`. */
export const SHORT_NAMES = words(
  'ma md mo mohd muhd abd wm chas geo jos thos jas ed fred benj robt saml danl alex st ste fco jo jn edw hy th ph chr joh',
)

/** Forms of address that are given or family names too: `Phil Doe`, `Gene Doe`. They count with a dot, or after another one. */
export const GIVEN_TOO = words(
  'seri sri tun phil nat med iur rer oec habil pd mag lic ing don me gen col maj hon rev fr sen gov lt ir sig rag geom adm amb er eng arch adv elder bishop pastor deacon haji',
)

/** Generational suffixes, lower case and without dots. */
export const SUFFIXES = words('jr sr ii iii iv v vi junior senior filho neto')

/** Letters after a name, lower case and without dots. `®` and `™` are removed before the comparison. */
export const CREDENTIALS = words(`
  cfa cfp cpa cima caia chfc clu ricp aif aifa aams awma cpwa crpc crps cfs cdfa cepa cebs cext cfe cfm cmt cma cgma cia cisa cism cissp crcm cams
  cws cwm cpm cbe cltc clf lutcf fic frm prm erp fsa asa maaa fcas acas asa mai ea ctfa aep abfp bfa cap cspg rfc rma iar accredited
  qpfc qkc qka qpa cpfa c(k)p erpa tgpc pplc afc fbs fbm ccfc cfds msfs mst llm ll.m jd j.d esq esquire md m.d do d.o phd ph.d edd ed.d psyd dba dds dmd dvm pharmd dnp
  rn bsn msn np aprn crna pa-c fnp fache facs facp faap faan mph mpa mpp mha mba emba ma ms msc mphil med m.ed mfa bs ba bsc bba beng meng llb mbbs mrcp frcs frcp frs
  pe p.e se aia faia leed ap leed-ap ra riba asla pmp csm shrm-cp shrm-scp phr sphr gphr cipd fcipd cipp cipm ccep chc chpc cscp cpim six sigma
  aca acca fca fcca cima cga ca cfo-c aca cta att tep step icaew fcma sia cisi mcsi fcsi dipfa dippfs apfs fpfs fpc pci cim
  obe mbe cbe kbe dbe kc qc kcb cb cmg dl frsa freng fiet miet ceng mba dipl-ing
  gri crs abr realtor broker ccim sior crb epro nmls cfre cae cmp ctc cpcu arm aai cic crm are aic clcs sclA lcsw lmft lpc lmhc msw acsw ccc-slp otr dpt
  nagdca naifa cofp cfp-board chsa cmfc crc nsca nssa cpfm cfei cwpp cmc cprc acp rssa dfp bba llp`)

/** Words that belong to the family name that follows them, lower case. */
export const PARTICLES = words(`
  van von der den de del della dello di da das dos du la le los las el al ten ter te 't vom zu zum zur af av bin bint ibn ben abu st saint san santa
  dela y e i lo delle degli dei`)

/** Particles that stay lower case when a name in capitals is made readable; the rest take a capital, as names in the US mostly do. */
export const LOWER_PARTICLES = words(
  'von der den del della di da das dos du bin bint ibn ten ter zu vom zum zur af av y',
)
