//! [`JavaCoverage`]: the coverage port over all modules of a project.

use super::{Java, USUAL_MAIN_ROOT};
use camino::Utf8PathBuf;
use paring_java::frontend::split_target;
use paring_java::runner::{JavaProject, JunitCoverage};
use paring_model::{Candidate, Coverage, Covered, Heard, Heat, RunnerError, Spectra};

pub struct JavaCoverage<'a>(pub &'a Java);

impl Coverage for JavaCoverage<'_> {
    fn suite(
        &self,
        paths: &[String],
        spectra: &dyn Spectra,
        tell: &dyn Fn(Heard<'_>),
    ) -> Result<Covered, RunnerError> {
        let roots: Vec<String> = self.0.roots().roots.iter().map(ToString::to_string).collect();
        let mut covered = Covered::default();
        for (project, ids) in self.0.by_module(if paths.is_empty() { &roots } else { paths })? {
            covered.join(self.of(project).suite(&ids, spectra, tell)?);
        }
        Ok(covered)
    }

    fn candidate(&self, candidate: &Candidate, heat: Heat) -> Result<Covered, RunnerError> {
        let (project, _) = self.0.project(split_target(candidate.target()).0)?;
        let jvms = self.0.jvms_for(&project)?;
        self.of(project).candidate(&jvms, candidate, heat)
    }
}

impl JavaCoverage<'_> {
    fn of(&self, project: JavaProject) -> JunitCoverage {
        let modules = self.0.layout.iter().flat_map(|layout| &layout.modules);
        let main = modules.map(|module| module.join(USUAL_MAIN_ROOT)).filter(|root| root.is_dir());
        let code: Vec<Utf8PathBuf> = main.chain(self.0.sources.iter().cloned()).collect();
        JunitCoverage::new(project, code, self.0.timeout)
    }
}
